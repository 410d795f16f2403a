import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../core/answer.ts'
import { bearerTokenOf, fieldOf, type Call } from '../core/call.ts'
import { carryOut, planFor } from '../core/carry-out.ts'
import type { Failure, Transaction } from '../core/transaction.ts'
import type { Kit, Protocol } from '../protocol.ts'
import { behaviourFor, RIGHT_OTP, type FailureReason } from '../sentinels.ts'

const chargeSchema = z.object({
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  phone: z.string(),
})

/** A minimal protocol with every part. */
export const exampleProtocol: Protocol = {
  name: 'example',
  sandbox: { account: { secrets: { secret_key: 'example-secret' } } },
  create: (kit) => ({
    routes: [
      {
        method: 'POST',
        path: '/example/charges',
        on: 'collect',
        reference: (call) => fieldOf(call, 'reference'),
        handle: (call) => createCharge(kit, call),
      },
      {
        method: 'POST',
        path: '/example/charges/:reference/otp',
        on: 'act',
        reference: (call) => call.params['reference'],
        handle: (call) => submitOtp(kit, call),
      },
      {
        method: 'GET',
        path: '/example/charges/:reference',
        on: 'inquire',
        reference: (call) => call.params['reference'],
        handle: (call) => showCharge(kit, call),
      },
    ],
    serverError: json(500, { error: 'internal' }),
    rateLimited: json(429, { error: 'slow down' }, { 'retry-after': '1' }),
    authenticate: (call, accounts) => {
      const token = bearerTokenOf(call)
      return (
        accounts.find(({ secrets }) => secrets['secret_key'] === token) ??
        json(401, { error: 'who are you?' })
      )
    },
    webhooksFor: (transaction, event) => {
      const isFinal = transaction.state !== 'pending' && transaction.state !== 'action_required'
      if (event === undefined && !isFinal) return []
      const name = event ?? `charge.${transaction.state}`
      const body = JSON.stringify({ event: name, data: present(transaction) })
      return [{ event: name, body, contentType: 'application/json' }]
    },
    signWebhook: ({ account, body }) => ({
      'x-example-signature': createHmac('sha256', account.secrets['secret_key'] ?? '')
        .update(body)
        .digest('hex'),
    }),
  }),
}

async function createCharge(kit: Kit, call: Call): Promise<Answer> {
  const input = chargeSchema.safeParse(call.payload)
  if (!input.success) return json(400, { error: z.prettifyError(input.error) })
  const { reference, amount, currency, phone } = input.data
  return carryOut(kit, call, {
    operation: 'collect',
    reference,
    method: 'mobile_money',
    amount,
    currency,
    behaviour: behaviourFor({ amount, account: phone }),
    details: { phone },
    asksForOtp: true,
    duplicate: (existing) => json(200, present(existing)),
    decline: (reason) => json(402, { error: reason }),
    failure,
    accepted: (transaction) => json(201, present(transaction)),
  })
}

async function submitOtp(kit: Kit, call: Call): Promise<Answer> {
  const transaction = findCharge(kit, call)
  if (transaction?.state !== 'action_required') return json(409, { error: 'no password is asked for' })
  if (fieldOf(call, 'otp') !== RIGHT_OTP) return json(400, { error: 'wrong password' })
  const plan = planFor({ delayMs: kit.delayMs, outcome: 'succeeds', failure })
  return json(200, present(await kit.move(transaction, { state: 'pending' }, plan)))
}

function showCharge(kit: Kit, call: Call): Answer {
  const transaction = findCharge(kit, call)
  return transaction === undefined ? json(404, { error: 'no such charge' }) : json(200, present(transaction))
}

function findCharge(kit: Kit, call: Call): Transaction | undefined {
  const reference = call.params['reference'] ?? ''
  return kit.transactions.find({ account: call.account.name, operation: 'collect', reference })
}

function present({ providerRef, reference, amount, currency, state, failure: why }: Transaction) {
  return { id: providerRef, reference, amount, currency, status: state, failure: why?.code ?? null }
}

function failure(reason: FailureReason): Failure {
  return { code: reason, message: `The charge failed: ${reason}` }
}
