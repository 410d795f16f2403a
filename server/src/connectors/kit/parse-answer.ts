import type { z } from 'zod'

/** Undefined if the text is not JSON or does not match the schema. */
export function parseAnswer<Value>(text: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return schema.safeParse(json).data
  } catch {
    return undefined
  }
}
