import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { z } from 'zod'
import type { Answer } from '../shared/api-client.ts'
import { limits } from '../shared/limits.ts'

const disputable = ['stripe', 'adyen', 'paystack', 'flutterwave']
const timeline = z.object({
  data: z.array(z.object({ attempt_no: z.number().nullable(), summary: z.string() })),
})
const opened = z.object({ id: z.string() })
const listed = z.object({ data: z.array(z.object({ dispute_id: z.string() })) })
const attempted = /^attempt \d+ at (\w+): succeeded$/

/** The calls that the disputer makes for the customer of the payment. */
type DisputerCalls = {
  simulatorUrl: string
  referenceOf: (paymentId: string, attemptNo?: number) => Promise<string | undefined>
  get(path: string): Promise<Answer | undefined>
  accept(disputeId: string): Promise<unknown>
}

/** Plays the payer's bank: opens a dispute of a completed payment and ends it. */
export async function disputePayment(
  calls: DisputerCalls,
  paymentId: string,
  end: 'lose' | 'win' | 'accept',
): Promise<void> {
  const answer = await calls.get(`/v1/payments/${paymentId}/timeline`)
  if (answer?.status !== 200) return
  const entries = timeline.parse(answer.body).data
  const paid = entries.find(({ summary }) => attempted.test(summary))
  const provider = attempted.exec(paid?.summary ?? '')?.[1] ?? ''
  if (!disputable.includes(provider)) return
  const reference = await calls.referenceOf(paymentId, paid?.attempt_no ?? undefined)
  if (reference === undefined) return
  const dispute = opened.safeParse(await play(calls, `${provider}/_disputes`, { reference })).data
  if (!dispute) return
  const path = `${provider}/_disputes/${dispute.id}`
  if (end === 'accept') return acceptIt(calls, paymentId)
  if (provider === 'adyen') await play(calls, path, { action: 'withdraw' })
  await play(calls, path, { action: end })
}

/** The bank's message may be late or lost, and then nobody accepts anything. */
async function acceptIt(calls: DisputerCalls, paymentId: string): Promise<void> {
  for (let poll = 0; poll < limits.polls; poll += 1) {
    const answer = await calls.get(`/v1/disputes?payment_id=${paymentId}`)
    const dispute = answer?.status === 200 ? listed.parse(answer.body).data[0] : undefined
    if (dispute) {
      await calls.accept(dispute.dispute_id)
      return
    }
    await delay(limits.pollPauseMs)
  }
}

async function play({ simulatorUrl }: DisputerCalls, path: string, body: object): Promise<unknown> {
  const answer = await request(`${simulatorUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  if (answer?.statusCode !== 200) {
    await answer?.body.dump()
    return undefined
  }
  return answer.body.json()
}
