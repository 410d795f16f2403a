import type { z } from 'zod'

/** Undefined for anything that is not exactly what we know how to read. */
export function parseAnswer<Value>(text: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return schema.safeParse(json).data
  } catch {
    return undefined
  }
}
