import Fastify from 'fastify'

export interface ReceivedWebhook {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly at: number
}

/** Replaces Switchyard's inbound webhook endpoint. */
export interface Receiver {
  readonly url: string
  readonly received: () => readonly ReceivedWebhook[]
  /** The statuses of the next answers, in order; later answers are 200. */
  readonly answerWith: (...statuses: readonly number[]) => void
  readonly stop: () => Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const statuses: number[] = []
  const app = Fastify({ forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/*', async (request, reply) => {
    received.push({
      path: request.url,
      headers: request.headers,
      body: String(request.body),
      at: performance.now(),
    })
    return reply.code(statuses.shift() ?? 200).send({ received: true })
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `${url}/webhooks`,
    received: () => received,
    answerWith: (...next) => void statuses.push(...next),
    stop: () => app.close(),
  }
}
