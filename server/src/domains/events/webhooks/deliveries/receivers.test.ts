import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import {
  answer,
  startTestReceiver,
  type Behaviour,
  type TestReceiver,
} from '../../../../../test/app/test-receiver.ts'
import { openWebhooks, type OrgWebhooks } from '../../../../../test/app/test-webhooks.ts'
import { defaultPostLimits } from './post-event.ts'

const minute = 60_000
/** Short limits, for receivers that do not answer in time. */
const shortLimits = { answerMs: 250, bodyMs: 150 }

const t = useApp()
let org: OrgWebhooks
let receiver: TestReceiver
beforeAll(async () => {
  org = await openWebhooks(t)
})
beforeEach(async () => {
  receiver = await startTestReceiver()
  return () => receiver.stop()
})

interface Outcome {
  waitMs: number | null
  delivery: Json
  attempt: Json
}

/** Makes one attempt at a receiver with the given behaviour. */
async function tryOn(
  behave: Behaviour,
  { url = `${receiver.url}/hook`, postLimits = defaultPostLimits } = {},
): Promise<Outcome> {
  receiver.behave = behave
  const { webhook_id: webhookId } = await org.register(url)
  const deliveryId = await org.deliverTo(webhookId)
  const waitMs = await org.attempt(deliveryId, { postLimits })
  const delivery = await org.delivery(webhookId, deliveryId)
  await org.call('DELETE', `/${webhookId}`)
  return { waitMs, delivery, attempt: delivery.attempt_log[0] }
}

/** Writes one character at a time until the connection is closed. */
function drip(write: (text: string) => unknown, text: string, isOpen: () => boolean): void {
  const timer = setInterval(() => {
    if (!isOpen() || text === '') return clearInterval(timer)
    write(text[0] ?? '')
    text = text.slice(1)
  }, 10)
}

describe('a response in time', () => {
  it.each([200, 201, 202, 204, 299])('%i ends the delivery', async (status) => {
    const { waitMs, delivery } = await tryOn(answer(status))
    expect(waitMs).toBeNull()
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1, last_response_status: status })
  })

  it.each([301, 302, 303, 307, 308])('%i is not followed and is retried', async (status) => {
    const location = `${receiver.url}/elsewhere`
    const { waitMs, delivery } = await tryOn(answer(status, '', { location }))
    expect(waitMs).toBe(minute)
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_response_status: status })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it.each([300, 304, 400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504])(
    '%i is retried',
    async (status) => {
      const { waitMs, delivery, attempt } = await tryOn(answer(status, status === 304 ? '' : 'no'))
      expect(waitMs).toBe(minute)
      expect(delivery).toMatchObject({ status: 'pending', last_response_status: status })
      expect(attempt).toMatchObject({ response_status: status, error: null })
    },
  )

  it('only the first kilobyte of a huge body is read and kept', async () => {
    let written = 0
    const { waitMs, attempt } = await tryOn((response) => {
      const more = (): void => {
        while (!response.destroyed && written < 1e9) {
          written += 65_536
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', more)
        }
      }
      more()
    })
    expect(waitMs).toBeNull()
    expect(attempt.response_body).toBe('x'.repeat(1024))
    expect(written).toBeLessThan(20e6)
  })

  it('a body that never ends is cut off, and what has arrived is kept', async () => {
    const postLimits = { ...defaultPostLimits, bodyMs: shortLimits.bodyMs }
    const { waitMs, attempt } = await tryOn((response) => void response.writeHead(200).write('slowly'), {
      postLimits,
    })
    expect(waitMs).toBeNull()
    expect(attempt.response_body).toBe('slowly')
  })

  it('a body that is cut off after the status line does not change the result', async () => {
    const { waitMs, delivery } = await tryOn((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      response.socket?.end()
    })
    expect(waitMs).toBeNull()
    expect(delivery.status).toBe('succeeded')
  })

  it('a body that is not text is kept without its invalid bytes', async () => {
    const { attempt } = await tryOn((response) => void response.end(Buffer.from([0x61, 0, 0xff, 0x62])))
    expect(attempt.response_body).toBe('a\uFFFDb')
  })
})

describe('no response', () => {
  const tryImpatiently = (behave: Behaviour): Promise<Outcome> => tryOn(behave, { postLimits: shortLimits })

  const expectRetry = ({ waitMs, delivery, attempt }: Outcome, error: string): void => {
    expect(waitMs).toBe(minute)
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, last_response_status: null })
    expect(attempt).toMatchObject({ response_status: null, response_body: null, error })
  }

  it('at all: the call is aborted at the time limit and retried', async () => {
    const outcome = await tryImpatiently(() => undefined)
    expectRetry(outcome, 'no answer in time')
    expect(outcome.attempt.duration_ms).toBeGreaterThanOrEqual(shortLimits.answerMs - 5)
  })

  it('within the time limit: a late 200 does not count', async () => {
    expectRetry(
      await tryImpatiently((response) => void setTimeout(() => response.end(), shortLimits.answerMs * 1.1)),
      'no answer in time',
    )
  })

  it('because the status line arrives too slowly', async () => {
    expectRetry(
      await tryImpatiently((response) => {
        const { socket } = response
        drip(
          (text) => socket?.write(text),
          `HTTP/1.1 200 ${'k'.repeat(500)}`,
          () => !socket?.destroyed,
        )
      }),
      'no answer in time',
    )
  })

  it('because the headers never end', async () => {
    expectRetry(
      await tryImpatiently((response) => {
        const { socket } = response
        drip(
          (text) => socket?.write(text),
          `HTTP/1.1 200 OK\r\nx: ${'k'.repeat(500)}`,
          () => !socket?.destroyed,
        )
      }),
      'no answer in time',
    )
  })

  it('because the connection is closed early', async () => {
    expectRetry(
      await tryOn((response) => void response.socket?.end()),
      'the connection was closed before an answer',
    )
  })

  it('because the connection is reset', async () => {
    const outcome = await tryOn((response) => void response.socket?.resetAndDestroy())
    expectRetry(outcome, 'connection reset')
  })

  it('because the receiver does not speak HTTP', async () => {
    const outcome = await tryOn((response) => void response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'))
    expectRetry(outcome, 'the answer was not HTTP')
  })

  it('because nothing listens on the port', async () => {
    const gone = await startTestReceiver()
    await gone.stop()
    expectRetry(await tryOn(answer(200), { url: gone.url }), 'connection refused')
  })

  it('waits ten seconds in production', () => {
    expect(defaultPostLimits.answerMs).toBe(10_000)
  })
})
