import { z } from 'zod'
import { startHttpListener } from './http-listener.ts'

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
})
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(attribute).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  attributes: Record<string, string | number | undefined>
}

export interface OtlpReceiver {
  url: string
  spans(): ReceivedSpan[]
  /** Everything that was received, as it was sent. */
  text(): string
  stop(): Promise<void>
}

/** Accepts traces by OTLP over HTTP with JSON, as a collector does, and keeps them in memory. */
export async function startOtlpReceiver(port: number): Promise<OtlpReceiver> {
  const bodies: string[] = []
  const listener = await startHttpListener(port, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isTrace = request.method === 'POST' && request.url === '/v1/traces'
      if (isTrace) bodies.push(Buffer.concat(chunks).toString('utf8'))
      response.writeHead(isTrace ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  return {
    url: listener.url,
    text: () => bodies.join('\n'),
    spans: () => bodies.flatMap((body) => spansIn(exported.parse(JSON.parse(body)))),
    stop: () => listener.stop(),
  }
}

const spansIn = ({ resourceSpans }: z.infer<typeof exported>): ReceivedSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, parentSpanId, ...span }) => ({
        ...span,
        parentSpanId,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
        ),
      })),
    ),
  )
