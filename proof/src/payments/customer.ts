import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { rightPassword, secretInputs } from './canaries.ts'
import type { Answer, ApiClient, Call } from '../shared/api-client.ts'
import { limits } from '../shared/limits.ts'
import { disputePayment } from './disputer.ts'
import type { CrashOrg } from './people.ts'
import type { PlannedPayment } from './plan.ts'
import { clientReference, type Quote } from './requests.ts'
import { visitPages } from './visit-pages.ts'

/** What the customers saw, to be compared with the final state. */
export type CustomerRecord = {
  acknowledged: { paymentId: string; orgId: string; key: string; index: number }[]
  /** Payments that were never answered and were not found by the customer's own reference. */
  unheard: number
  refused: Map<string, number>
  strangerReads: string[]
}

/** The customer of one payment, who also handles its follow-up actions. */
export type Customer = {
  client: ApiClient
  org: CrashOrg
  payment: PlannedPayment
  /** Where somebody refunds and reverses payments at the provider itself. */
  simulatorUrl: string
  /** Our reference of an attempt, by which it is known there. */
  referenceOf: (paymentId: string, attemptNo?: number) => Promise<string | undefined>
}

const initiated = z.object({
  response: z.object({
    payment_id: z.string(),
    status: z.string(),
    next_action: z.string().optional(),
    redirect_url: z.string().nullish(),
  }),
})
const refusedPayment = z.object({ payment_id: z.string() })
const found = z.object({ data: z.array(z.object({ payment_id: z.string(), status: z.string() })) })
const record = z.object({ status: z.string(), amount: z.number(), provider: z.string().nullish() })
const quoted = z.object({ data: z.object({ rate: z.number(), org_rate_id: z.string() }) })

const settled = ['completed', 'failed', 'refunded', 'rejected', 'canceled']

type Started = {
  paymentId: string
  status: string
  nextAction: string | undefined
  /** The provider's page on which the customer continues. */
  redirectUrl?: string | undefined
}

const ask = (
  { client, org, payment }: Customer,
  call: Partial<Call> & Pick<Call, 'path' | 'method'>,
): Promise<Answer | undefined> => client.call({ key: org.initiator, api: payment.api, ...call })

const post = (
  customer: Customer,
  path: string,
  body: object,
  change: Partial<Call> = {},
): Promise<Answer | undefined> =>
  ask(customer, { path, method: 'POST', body: JSON.stringify(body), ...change })

export async function quote(customer: Customer): Promise<Quote | undefined> {
  const path = '/v1/organizations/admin/exchange-rate?fromCurrency=GBP&toCurrency=NGN'
  const answer = await ask(customer, { method: 'GET', path })
  if (answer?.status !== 200) return undefined
  const { rate, org_rate_id: orgRateId } = quoted.parse(answer.body).data
  return { rate, orgRateId }
}

/** Retries until the payment is answered; if the first call under the key never finished, looks the payment up. */
export async function initiate(
  customer: Customer,
  body: string,
  told: CustomerRecord,
): Promise<Started | undefined> {
  const idempotencyKey = `key-${clientReference(customer.payment)}`
  const answer = await ask(customer, {
    method: 'POST',
    path: '/v1/payments-init/initiate',
    body,
    idempotencyKey,
  })
  if (answer?.status === 200) {
    const { response } = initiated.parse(answer.body)
    const { payment_id: paymentId, status, next_action: nextAction, redirect_url: redirectUrl } = response
    return { paymentId, status, nextAction, redirectUrl: redirectUrl ?? undefined }
  }
  const refusal = answer?.status === 502 ? refusedPayment.safeParse(answer.body).data : undefined
  if (refusal) return { paymentId: refusal.payment_id, status: 'failed', nextAction: undefined }
  if (answer && answer.status !== 409) {
    const reason = `${answer.status} ${answer.text.replaceAll(/"(?:request_id|timestamp)":"[^"]*"/g, '').slice(0, 160)}`
    told.refused.set(reason, (told.refused.get(reason) ?? 0) + 1)
    return undefined
  }
  const started = await lookUp(customer)
  if (!started) told.unheard += 1
  return started
}

async function lookUp(customer: Customer): Promise<Started | undefined> {
  const path = `/v1/transactions?client_reference=${clientReference(customer.payment)}`
  const answer = await ask(customer, { method: 'GET', path })
  const row = answer?.status === 200 ? found.parse(answer.body).data[0] : undefined
  return row && { paymentId: row.payment_id, status: row.status, nextAction: undefined }
}

/** Does what follows the first answer: passwords, provider pages, reviews, cancellation, refund. */
export async function continuePayment(customer: Customer, started: Started): Promise<void> {
  const { org, payment } = customer
  const { paymentId, status, nextAction, redirectUrl } = started
  if (payment.corridor.providers.includes('manual')) {
    const outcome = payment.sentinel === '14' ? 'failed' : 'completed'
    await post(customer, `/v1/payments/${paymentId}/confirm`, { outcome }, { key: org.operator })
  }
  if (nextAction === 'collect_otp') await givePasswords(customer, paymentId)
  if (redirectUrl !== undefined && payment.decision !== 'leave')
    await visitPages(redirectUrl, payment.decision)
  if (status === 'initiated') await review(customer, paymentId)
  if (payment.followUp === 'cancel')
    await post(customer, `/v1/payments/${paymentId}/cancel`, {}, { key: org.approver })
  else if (payment.followUp === 'reversal') await actAtProvider(customer, paymentId, '_reverse')
  else if (payment.corridor.direction !== 'payin') return
  else if (payment.followUp === 'refund elsewhere') await actAtProvider(customer, paymentId, '_refund')
  else if (payment.followUp.startsWith('refund')) await refund(customer, paymentId)
  else if (payment.followUp.startsWith('dispute')) await dispute(customer, paymentId)
}

async function givePasswords(customer: Customer, paymentId: string): Promise<void> {
  const path = `/v1/payments-init/${paymentId}/action`
  for (let tries = 0; tries < customer.payment.wrongPasswords; tries += 1)
    await post(customer, path, { action: 'submit_otp', otp: secretInputs.wrongPassword })
  await post(customer, path, { action: 'submit_otp', otp: rightPassword })
}

async function review(customer: Customer, paymentId: string): Promise<void> {
  const { org, payment } = customer
  if (payment.review === 'leave' || payment.review === undefined) return
  const path = `/v1/payments/${paymentId}/review`
  await post(customer, path, { decision: payment.review }, { key: org.approver })
  if (payment.review === 'approve')
    await post(customer, path, { decision: 'approve' }, { key: org.confirmer })
}

async function refund(customer: Customer, paymentId: string): Promise<void> {
  const { org, payment } = customer
  const read = await untilSettled(customer, paymentId)
  if (read?.status !== 'completed') return
  const isPart = payment.followUp === 'refund a part'
  const part = isPart ? { amount: Math.max(1, Math.floor(read.amount / 3)) } : {}
  await post(
    customer,
    `/v1/payments/${paymentId}/refund`,
    { reason: 'crash', ...part },
    {
      key: org.approver,
      idempotencyKey: `refund-${clientReference(payment)}`,
    },
  )
}

/** The bank takes a completed payment back, or somebody refunds it in the provider's dashboard. */
async function actAtProvider(
  customer: Customer,
  paymentId: string,
  action: '_reverse' | '_refund',
): Promise<void> {
  const { status, provider } = (await untilSettled(customer, paymentId)) ?? {}
  if (status !== 'completed' || !provider || provider === 'manual') return
  const reference = await customer.referenceOf(paymentId)
  if (reference === undefined) return
  // A provider that has no such dashboard answers 409.
  await fetch(`${customer.simulatorUrl}/${provider}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference }),
  }).catch(() => undefined)
}

/** Only of payments that their provider does not reverse by itself. */
async function dispute(customer: Customer, paymentId: string): Promise<void> {
  const { org, payment, simulatorUrl, referenceOf } = customer
  const read = payment.sentinel === '00' ? await untilSettled(customer, paymentId) : undefined
  if (read?.status !== 'completed') return
  const end = (['lose', 'win', 'accept'] as const).find((one) => payment.followUp.endsWith(one)) ?? 'lose'
  await disputePayment(
    {
      simulatorUrl,
      referenceOf,
      get: (path) => ask(customer, { method: 'GET', path }),
      accept: (disputeId) => post(customer, `/v1/disputes/${disputeId}/accept`, {}, { key: org.approver }),
    },
    paymentId,
    end,
  )
}

async function untilSettled(
  customer: Customer,
  paymentId: string,
): Promise<z.infer<typeof record> | undefined> {
  for (let poll = 0; poll < limits.polls; poll += 1) {
    const answer = await ask(customer, { method: 'GET', path: `/v1/payments/transaction/${paymentId}` })
    const read = answer?.status === 200 ? record.parse(answer.body) : undefined
    if (read && settled.includes(read.status)) return read
    await delay(limits.pollPauseMs)
  }
  return undefined
}
