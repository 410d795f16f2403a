import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { chargeCard } from './card-charges.ts'
import { commonTerms, newDetails, planOf, unavailableOnly } from './charge-terms.ts'
import { authorize, handled, parseRequest, refused } from './envelope.ts'
import { chargeMobileMoney, MARKETS } from './mobile-money.ts'
import { authorizationPageOf } from './pages.ts'
import { bankTransferSchema, hostedSchema } from './schema.ts'

const ACCOUNT_LIFETIME_MS = 3_600_000
const NUBAN_DIGITS = 10

export async function createCharge(kit: Kit, call: Call): Promise<Answer> {
  const type = call.query['type'] ?? ''
  if (type === 'card') return chargeCard(kit, call)
  if (type === 'bank_transfer') return chargeBankTransfer(kit, call)
  const market = MARKETS[type]
  return market === undefined ? refused(400, 'type is invalid') : chargeMobileMoney(kit, call, market)
}

async function chargeBankTransfer(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(bankTransferSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const behaviour = behaviourFor({ amount: input.amount })
  const plan = planOf(kit, call, behaviour)
  const details = newDetails(input, 'AUTH', [])
  return carryOut(kit, call, {
    ...commonTerms(input, details),
    method: 'bank_transfer',
    behaviour,
    details,
    start: { state: 'pending', plan },
    decline: unavailableOnly,
    accepted: (transaction) =>
      authorize({
        transfer_reference: details.flwRef,
        transfer_account: String(details.id).padStart(NUBAN_DIGITS, '0'),
        transfer_bank: 'Mock Bank',
        account_expiration: new Date(Date.parse(transaction.createdAt) + ACCOUNT_LIFETIME_MS).toISOString(),
        transfer_note: 'Please make a bank transfer to Switchyard Sandbox',
        transfer_amount: transaction.amount,
        mode: 'banktransfer',
      }),
  })
}

/** Opens a page. Flutterwave has no transaction until the customer tries to pay. */
export async function createHostedPayment(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(hostedSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { customer, ...terms } = parsed.input
  const input = { ...terms, email: customer.email, phone_number: customer.phonenumber }
  const behaviour = behaviourFor({ amount: input.amount })
  const details = { ...newDetails(input, 'PIN', planOf(kit, call, behaviour)), isHidden: true }
  return carryOut(kit, call, {
    ...commonTerms(input, details),
    method: 'card',
    behaviour,
    details,
    start: { state: 'action_required', plan: [] },
    decline: unavailableOnly,
    accepted: (transaction) => handled('Hosted Link', { link: authorizationPageOf(kit, transaction) }),
  })
}
