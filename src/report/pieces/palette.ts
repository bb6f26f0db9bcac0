/**
 * Colours of reports and of the dashboard. Every curve colour has a contrast of 3:1 with its background, and differs
 * from the others for people who see no red or no green (a test measures both). Every order also has its own marker, so
 * that nothing depends on colour alone.
 */

export const LIGHT = {
  page: "#f3f7f8",
  surface: "#ffffff",
  ink: "#10242e",
  muted: "#51656f",
  line: "#d9e3e7",
  sea: "#0b5f7d",
  foam: "#e3f0f3",
  agrees: "#0d6b4f",
  warns: "#7a5600",
  differs: "#a1410b",
  curves: ["#095397", "#a82418", "#29a288", "#b37903", "#ac77fa", "#7d1453", "#1d7a93", "#511903"],
};

export const DARK: typeof LIGHT = {
  page: "#08141c",
  surface: "#0e1c26",
  ink: "#e6eff2",
  muted: "#9db2bc",
  line: "#243845",
  sea: "#6cc6e4",
  foam: "#132a37",
  agrees: "#6fdcb2",
  warns: "#f0cb62",
  differs: "#ffab7a",
  curves: ["#53a1e8", "#d6431c", "#97fbbb", "#f9bd01", "#4e69e5", "#ab5489", "#5cd4e8", "#ee857e"],
};

/** Outlines of markers around 0,0. With eight colours, the first forty orders all look different. */
export const MARKERS = [
  "M-3.6 0a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0z",
  "M-3.2-3.2h6.4v6.4h-6.4z",
  "M0-4.6 4.6 0 0 4.6-4.6 0z",
  "M0-4.4 4.4 3.4h-8.8z",
  "M0 4.4 4.4-3.4h-8.8z",
] as const;
