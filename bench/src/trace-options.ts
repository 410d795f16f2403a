import { z } from 'zod'

/** All times are in milliseconds since 1970. */
const span = z.object({ fromMs: z.number(), toMs: z.number() })
export type Span = z.infer<typeof span>

const tracedCall = span.extend({
  kind: z.enum(['pool', 'postgres', 'provider']),
  /** The backend that served it. */
  pid: z.number().optional(),
  isApp: z.boolean().optional(),
})
export type TracedCall = z.infer<typeof tracedCall>

/** What the traced api writes when it exits. */
export const apiTrace = z.object({
  requests: z.record(z.string(), span.extend({ calls: z.array(tracedCall) })),
  /** Times in which the event loop did not turn. */
  blocks: z.array(span),
  collections: z.array(span),
})
export type ApiTrace = z.infer<typeof apiTrace>
