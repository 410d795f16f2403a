import { json, type Answer } from '../../core/answer.ts'
import type { Call, OpenCall } from '../../core/call.ts'
import type { Transaction } from '../../core/transaction.ts'
import { bankAddressOf } from './bank-addresses.ts'
import { intentsOf, storeKey, type Books, type Customer } from './books.ts'
import { majorOf, minorOf, paymentDetailsOf, secondsOf } from './details.ts'
import { noSuch } from './errors.ts'
import { newSuffix } from './ids.ts'
import {
  customerParameters,
  depositParameters,
  fundingParameters,
  fundParameters,
  parseParameters,
} from './parameters.ts'

export function createCustomer({ kit, customers }: Books, call: Call): Answer {
  const parsed = parseParameters(customerParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { name, email, phone, description, metadata } = parsed.input
  const customer: Customer = {
    id: `cus_${newSuffix().slice(0, 14)}`,
    account: call.account.name,
    name,
    email,
    phone,
    description,
    metadata,
    createdAt: kit.clock.now().toISOString(),
  }
  customers.put(storeKey(customer.account, customer.id), customer)
  return json(200, {
    id: customer.id,
    object: 'customer',
    created: secondsOf(customer.createdAt),
    description: description ?? null,
    email: email ?? null,
    livemode: false,
    metadata,
    name: name ?? null,
    phone: phone ?? null,
  })
}

/** Stripe's test helper for incoming bank transfers; the oldest open intent receives the money. */
export async function fundCashBalance(books: Books, call: Call): Promise<Answer> {
  const parsed = parseParameters(fundParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { amount, currency, reference } = parsed.input
  const customer = call.params['customer'] ?? ''
  const { kit, customers } = books
  if (customers.get(storeKey(call.account.name, customer)) === undefined) return noSuch('customer', customer)
  const waiting = intentsOf(books, call.account.name).findLast(
    (transaction) => transaction.currency === currency && isWaitingFor(transaction, customer),
  )
  const left = waiting === undefined ? amount : await applyFunds(books, waiting, amount)
  const id = `ccsbtxn_${newSuffix()}`
  if (waiting === undefined) await keepDeposit(kit, call.account.name, { id, customer, ...parsed.input })
  return json(200, {
    ...presentDeposit({ id, customer, amount, currency, reference: reference ?? null }),
    created: secondsOf(kit.clock.now().toISOString()),
    ending_balance: left,
  })
}

/** Money for no intent stays in the cash balance, and is reported by its own event. */
async function keepDeposit(
  kit: Books['kit'],
  account: string,
  deposit: { id: string; customer: string; amount: number; currency: string; reference?: string | undefined },
): Promise<void> {
  const { id, customer, amount, currency, reference = null } = deposit
  const transaction = kit.accept({
    account,
    operation: 'collect',
    reference: id,
    providerRef: id,
    method: 'customer_balance',
    amount: majorOf(amount, currency),
    currency,
    state: 'pending',
    webhooks: 'once',
    plan: [],
    details: { metadata: {}, customer, deposit: { id, reference } },
  })
  await kit.move(transaction, { state: 'completed' })
}

interface Deposit {
  id: string
  customer: string
  amount: number
  currency: string
  reference: string | null
}

const TRANSFER_TYPES: Readonly<Record<string, 'gb_bank_transfer' | 'us_bank_transfer'>> = {
  GBP: 'gb_bank_transfer',
  USD: 'us_bank_transfer',
}

export const presentDeposit = ({ id, customer, amount, currency, reference }: Deposit) => ({
  id,
  object: 'customer_cash_balance_transaction',
  currency: currency.toLowerCase(),
  customer,
  funded: { bank_transfer: { type: TRANSFER_TYPES[currency] ?? 'eu_bank_transfer', reference } },
  livemode: false,
  net_amount: amount,
  type: 'funded',
})

/** Acts as a sender's bank: sends an amount to the standing bank details of a customer. */
export async function depositByBank({ kit, customers }: Books, call: OpenCall): Promise<Answer> {
  const parsed = parseParameters(depositParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const holder = [...customers.values()].find(({ id }) => numbersOf(id).includes(input.account_number))
  if (holder === undefined) return noSuch('account', input.account_number)
  const id = `ccsbtxn_${newSuffix()}`
  await keepDeposit(kit, holder.account, { id, customer: holder.id, ...input })
  return json(200, { outcome: 'deposited', reference: id })
}

const IBAN_COUNTRIES = ['BE', 'DE', 'ES', 'FR', 'IE', 'NL']

/** Every number that the customer can have, whichever instructions it was given. */
function numbersOf(customer: string): (string | undefined)[] {
  const numberAt = (type: 'gb_bank_transfer' | 'us_bank_transfer' | 'eu_bank_transfer', country: string) => {
    const { sort_code, aba, iban } = bankAddressOf({ type, country }, customer)
    return sort_code?.account_number ?? aba?.account_number ?? iban?.iban
  }
  return [
    numberAt('gb_bank_transfer', 'GB'),
    numberAt('us_bank_transfer', 'US'),
    ...IBAN_COUNTRIES.map((country) => numberAt('eu_bank_transfer', country)),
  ]
}

/** The standing bank details of a customer. */
export function createFundingInstructions({ customers }: Books, call: Call): Answer {
  const parsed = parseParameters(fundingParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { currency, bank_transfer: transfer } = parsed.input
  const customer = call.params['customer'] ?? ''
  if (customers.get(storeKey(call.account.name, customer)) === undefined) return noSuch('customer', customer)
  const country =
    transfer.type === 'eu_bank_transfer' ? transfer.eu_bank_transfer.country : currency.slice(0, 2)
  return json(200, {
    object: 'funding_instructions',
    bank_transfer: {
      country,
      financial_addresses: [bankAddressOf({ type: transfer.type, country }, customer)],
      type: transfer.type,
    },
    currency: currency.toLowerCase(),
    funding_type: 'bank_transfer',
    livemode: false,
  })
}

function isWaitingFor(transaction: Transaction, customer: string): boolean {
  const details = paymentDetailsOf(transaction)
  return (
    transaction.state === 'action_required' &&
    details.bankTransfer !== undefined &&
    details.customer === customer
  )
}

async function applyFunds({ kit }: Books, transaction: Transaction, amountMinor: number): Promise<number> {
  const before = paymentDetailsOf(transaction).receivedMinor ?? 0
  const receivedMinor = Math.min(before + amountMinor, minorOf(transaction))
  const isComplete = receivedMinor === minorOf(transaction)
  const details = { receivedMinor }
  await kit.move(
    transaction,
    isComplete ? { state: 'completed', details } : { state: 'action_required', details },
    isComplete ? [] : transaction.plan,
  )
  return before + amountMinor - receivedMinor
}
