import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Transaction } from '../../core/transaction.ts'
import { intentsOf, storeKey, type Books, type Customer } from './books.ts'
import { minorOf, paymentDetailsOf, secondsOf } from './details.ts'
import { noSuch } from './errors.ts'
import { newSuffix } from './ids.ts'
import { customerParameters, fundParameters, parseParameters } from './parameters.ts'

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
  return json(200, {
    id: `ccsbtxn_${newSuffix()}`,
    object: 'customer_cash_balance_transaction',
    created: secondsOf(kit.clock.now().toISOString()),
    currency: currency.toLowerCase(),
    customer,
    ending_balance: left,
    funded: {
      bank_transfer: {
        type: currency === 'GBP' ? 'gb_bank_transfer' : 'eu_bank_transfer',
        reference: reference ?? null,
      },
    },
    livemode: false,
    net_amount: amount,
    type: 'funded',
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
