import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, MAX_OTP_TRIES, RIGHT_OTP } from '../../sentinels.ts'
import { decryptCard, testCardOf, type CardMode } from './cards.ts'
import { commonTerms, newDetails, planOf } from './charge-terms.ts'
import { authorize, handled, parseRequest, refused } from './envelope.ts'
import { failureOf } from './failures.ts'
import { authorizationPageOf } from './pages.ts'
import { chargeDetailsOf, presentCharge } from './present.ts'
import { cardSchema, encryptedSchema, validateSchema } from './schema.ts'

/** The documented password of the card flow, accepted beside that of the simulator. */
const RIGHT_OTPS = ['12345', RIGHT_OTP]
const RIGHT_PIN = '3310'
const DO_NOT_HONOUR = 'Do Not Honour'

const ASKS: Readonly<Partial<Record<CardMode, readonly string[]>>> = {
  pin: ['pin'],
  avs_noauth: ['city', 'address', 'state', 'country', 'zipcode'],
}

/** Only the first six and last four digits of the card number are stored. */
export async function chargeCard(kit: Kit, call: Call): Promise<Answer> {
  const sealed = parseRequest(encryptedSchema, call.payload)
  if ('refusal' in sealed) return sealed.refusal
  const parsed = parseRequest(cardSchema, decryptCard(call.account, sealed.input.client))
  if ('refusal' in parsed) return refused(400, 'Invalid encrypted payload')
  const { card_number: number, authorization, ...input } = parsed.input
  const testCard = testCardOf(number)
  const sentinel = behaviourFor({ amount: input.amount })
  const behaviour = testCard.failure ? { ...sentinel, outcome: 'fails' as const } : sentinel
  const wanted = behaviour.outcome === 'needs_otp' ? 'otp' : testCard.mode
  const asked = ASKS[wanted]
  if (asked && authorization?.mode !== wanted) return authorize({ mode: wanted, fields: asked })
  if (wanted === 'pin' && authorization?.pin !== RIGHT_PIN) return refused(400, 'Incorrect PIN')
  const mode = wanted === 'pin' ? 'otp' : wanted
  const card = { first_6digits: number.slice(0, 6), last_4digits: number.slice(-4) }
  const details = { ...newDetails(input, mode.toUpperCase(), planOf(kit, call, behaviour)), card }
  const needsCustomer = mode === 'otp' || mode === 'redirect'
  return carryOut(kit, call, {
    ...commonTerms(input, details),
    method: 'card',
    behaviour,
    details,
    start: needsCustomer
      ? { state: 'action_required', plan: [] }
      : { state: 'pending', plan: details.planAfterAction },
    check: () => testCard.failure && refused(400, testCard.failure.message),
    decline: (reason) =>
      refused(400, reason === 'declined' ? DO_NOT_HONOUR : failureOf('collect', reason).message),
    accepted: (transaction) => cardAnswer(kit, transaction, mode),
  })
}

function cardAnswer(kit: Kit, transaction: Transaction, mode: CardMode): Answer {
  const authorization =
    mode === 'redirect'
      ? { mode, redirect: authorizationPageOf(kit, transaction) }
      : mode === 'otp'
        ? { mode, endpoint: '/v3/validate-charge' }
        : undefined
  return json(200, {
    status: 'success',
    message: 'Charge initiated',
    data: presentCharge(transaction),
    ...(authorization && { meta: { authorization } }),
  })
}

export async function validateCharge(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(validateSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { otp, flw_ref: flwRef } = parsed.input
  const transaction = [...kit.transactions.values()].find(
    (one) =>
      one.account === call.account.name &&
      one.operation === 'collect' &&
      chargeDetailsOf(one).flwRef === flwRef,
  )
  if (transaction === undefined) return refused(400, 'Transaction not found')
  const details = chargeDetailsOf(transaction)
  if (transaction.state !== 'action_required' || details.authModel !== 'OTP') {
    return refused(400, 'Transaction already validated')
  }
  if (!RIGHT_OTPS.includes(otp)) return refuseOtp(kit, transaction, details.otpTries + 1)
  const [first, ...rest] = details.planAfterAction
  const moved = await kit.move(transaction, first ?? { state: 'pending' }, rest)
  return handled('Charge validated', presentCharge(moved))
}

async function refuseOtp(kit: Kit, transaction: Transaction, otpTries: number): Promise<Answer> {
  const failure = { code: 'too_many_otps', message: 'Incorrect OTP too many times' }
  const isLast = otpTries >= MAX_OTP_TRIES
  const change = isLast ? { state: 'failed' as const, failure } : { state: 'action_required' as const }
  await kit.move(transaction, { ...change, details: { otpTries } })
  return refused(400, 'Incorrect OTP')
}
