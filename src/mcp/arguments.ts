/** The arguments of a tool, as a schema that refuses others and says which ones there are. */
import { z } from "zod";

export function toolArguments<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `there is no argument ${issue.keys.join(", ")}; expected some of ${names}`
        : undefined,
  });
}
