export {
  canonicalUrl,
  hostOfOrigin,
  LinkResolver,
  registrableDomain,
  splitUrl,
  type UrlRules,
} from "./url.ts";
