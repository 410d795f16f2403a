import type { Failure, MoneyOperation } from '../../core/transaction.ts'
import { behaviourFor, type Behaviour } from '../../sentinels.ts'
import { failureMessageOf } from './failures.ts'

type Suffixes = Readonly<Record<string, string>>

const NEVER_FINISHES = 'NEVER_FINISHES'

/** pawaPay's sandbox numbers by their last three digits. Those of Burkina Faso end in 8 instead of 9. */
const DEPOSIT_SUFFIXES: Suffixes = {
  '019': 'PAYER_LIMIT_REACHED',
  '029': 'PAYER_NOT_FOUND',
  '039': 'PAYMENT_NOT_APPROVED',
  '049': 'INSUFFICIENT_BALANCE',
  '069': 'UNSPECIFIED_FAILURE',
  '129': NEVER_FINISHES,
}
const PAYOUT_SUFFIXES: Suffixes = {
  '089': 'RECIPIENT_NOT_FOUND',
  '099': 'WALLET_LIMIT_REACHED',
  '109': 'RECIPIENT_LIMIT_REACHED',
  '119': 'UNSPECIFIED_FAILURE',
  '129': NEVER_FINISHES,
}
const BURKINA_DEPOSIT_SUFFIXES: Suffixes = {
  '048': 'INSUFFICIENT_BALANCE',
  '068': 'UNSPECIFIED_FAILURE',
  '138': NEVER_FINISHES,
}
const BURKINA_PAYOUT_SUFFIXES: Suffixes = { '118': 'UNSPECIFIED_FAILURE', '138': NEVER_FINISHES }
/** M-Pesa in Kenya and Ethiopia only. */
const MPESA_DEPOSIT_SUFFIXES: Suffixes = { ...DEPOSIT_SUFFIXES, '059': 'TRANSACTION_ALREADY_IN_PROCESS' }

interface NumberInput {
  readonly operation: MoneyOperation
  readonly amount: string
  readonly phoneNumber: string
}

/** pawaPay's documented numbers take precedence over the sentinels. */
export function behaviourOf({ operation, amount, phoneNumber }: NumberInput): Behaviour {
  const documented =
    operation === 'refund' ? undefined : suffixesFor(operation, phoneNumber)[phoneNumber.slice(-3)]
  if (documented === undefined) return behaviourFor({ amount, account: phoneNumber })
  if (documented === NEVER_FINISHES) return { outcome: 'stays_pending', webhooks: 'once' }
  const failure: Failure = { code: documented, message: failureMessageOf(documented) }
  return { outcome: 'fails', webhooks: 'once', failure }
}

/** By pawaPay's documentation, the state of these is SUBMITTED, not PROCESSING. */
export function staysSubmitted(operation: MoneyOperation, phoneNumber: string): boolean {
  return (
    operation !== 'refund' && suffixesFor(operation, phoneNumber)[phoneNumber.slice(-3)] === NEVER_FINISHES
  )
}

function suffixesFor(operation: 'collect' | 'payout', phoneNumber: string): Suffixes {
  const isBurkina = phoneNumber.startsWith('226')
  if (operation === 'payout') return isBurkina ? BURKINA_PAYOUT_SUFFIXES : PAYOUT_SUFFIXES
  if (isBurkina) return BURKINA_DEPOSIT_SUFFIXES
  return phoneNumber.startsWith('254') || phoneNumber.startsWith('251')
    ? MPESA_DEPOSIT_SUFFIXES
    : DEPOSIT_SUFFIXES
}
