import { json, type Answer } from '../../core/answer.ts'
import type { Call, OpenCall } from '../../core/call.ts'
import { handled, notFound, parseRequest } from './envelope.ts'
import { idOfText, majorOf, newCode, newId } from './identifiers.ts'
import { customerOf, TEST_BANK } from './present-transaction.ts'
import {
  createCustomerSchema,
  dedicatedAccountInputSchema,
  depositSchema,
  type ChargeDetails,
  type DedicatedAccount,
} from './schema.ts'
import type { Paystack } from './state.ts'

const NUBAN_RANGE = 10_000_000_000

/** There is one customer for each e-mail address. */
export function createCustomer({ customers }: Paystack, call: Call): Answer {
  const parsed = parseRequest(createCustomerSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { email, first_name, last_name } = parsed.input
  const customer = { ...customerOf(email), first_name: first_name ?? null, last_name: last_name ?? null }
  customers.put(customer.customer_code, {
    email,
    name: [first_name, last_name].filter((name) => name !== undefined).join(' '),
  })
  return handled('Customer created', { ...customer, integration: 100_032, domain: 'test', identified: false })
}

/** A customer has one account, which a repeated request returns. */
export function createDedicatedAccount({ kit, customers, dedicatedAccounts }: Paystack, call: Call): Answer {
  const parsed = parseRequest(dedicatedAccountInputSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const customer = customers.get(parsed.input.customer)
  if (customer === undefined) return notFound('Customer not found', 'customer_not_found')
  const accountNumber = String((idOfText(parsed.input.customer) * 11) % NUBAN_RANGE).padStart(10, '0')
  const known = dedicatedAccounts.get(accountNumber)
  const opened: DedicatedAccount = known ?? {
    account: call.account.name,
    accountNumber,
    accountName: `SWITCHYARD/${customer.name.toUpperCase()}`,
    customerCode: parsed.input.customer,
    email: customer.email,
    createdAt: kit.clock.now().toISOString(),
  }
  if (known === undefined) dedicatedAccounts.put(accountNumber, opened)
  return handled('NUBAN successfully created', presentAccount(opened))
}

function presentAccount(opened: DedicatedAccount) {
  return {
    id: idOfText(opened.accountNumber),
    bank: TEST_BANK,
    account_name: opened.accountName,
    account_number: opened.accountNumber,
    assigned: true,
    currency: 'NGN',
    metadata: null,
    active: true,
    created_at: opened.createdAt,
    updated_at: opened.createdAt,
    assignment: { account_type: 'PAY-WITH-TRANSFER-RECURRING', assignee_type: 'Customer', expired: false },
    customer: { ...customerOf(opened.email), customer_code: opened.customerCode },
  }
}

/** Acts as a sender's bank: sends an amount to an account, even an unknown one. No real API has this. */
export async function depositByBank({ kit, dedicatedAccounts }: Paystack, call: OpenCall): Promise<Answer> {
  const parsed = parseRequest(depositSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const reference = input.reference ?? newCode('')
  const known = dedicatedAccounts.get(input.account_number)
  const account = known?.account ?? input.account
  if (kit.transactions.find({ account, operation: 'collect', reference }) !== undefined)
    return json(409, { error: 'the reference is known' })
  const details: ChargeDetails = {
    id: newId(),
    flow: 'dedicated',
    email: known?.email ?? 'nobody@example.com',
    accountNumber: input.account_number,
    senderName: input.sender_name,
  }
  const transaction = kit.accept({
    account,
    operation: 'collect',
    reference,
    providerRef: String(details.id),
    method: 'dedicated_nuban',
    amount: majorOf(input.amount),
    currency: input.currency,
    state: 'pending',
    webhooks: 'once',
    plan: [],
    details,
  })
  await kit.move(transaction, { state: 'completed' })
  return json(200, { outcome: 'deposited', reference })
}
