import type { Attempt, BankAccount, CollectDetails, Outcome, Payee } from '../kit/connector.ts'
import { declined } from '../kit/reasons.ts'
import { readData } from '../kit/replies.ts'
import { wireSchema } from './answers.ts'
import { keyOf, paths, type CircleClient } from './client.ts'
import type { CircleCredentials } from './credentials.ts'
import { beforeMoving, outcomeOf } from './mapping.ts'

const ibanShape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const numberShape = /^[A-Z0-9]{6,35}$/

/** Requests without an IBAN field contain the IBAN as the account number. */
function numbersOf({ iban, accountNumber, bankCode, swiftCode }: BankAccount) {
  const found = (iban ?? accountNumber ?? '').replaceAll(/\s/g, '').toUpperCase()
  if (ibanShape.test(found)) return { iban: found }
  const routingNumber = bankCode ?? swiftCode
  return numberShape.test(found) && routingNumber ? { accountNumber: found, routingNumber } : undefined
}

export function missingFields(attempt: Attempt, details: CollectDetails | Payee): string[] {
  if (attempt.method !== 'bank_transfer') return []
  const [account, field] =
    'payer' in details ? [details.payerAccount, 'bank_details'] : [details.bankAccount, 'bank_account']
  if (account && numbersOf(account)) return []
  return attempt.country === 'US' ? [`${field}.account_number`, `${field}.bank_code`] : [`${field}.iban`]
}

/** The request without its idempotency key. Undefined: the account cannot be linked. */
export function linkRequest(
  { holderAddress }: CircleCredentials,
  name: string | undefined,
  account: BankAccount | undefined,
  country: string,
): object | undefined {
  const numbers = account && numbersOf(account)
  if (!numbers || !name) return undefined
  // With a city, a US account would also match the schema of foreign accounts.
  const place = country === 'US' ? {} : { bankName: account.bankName?.slice(0, 35), city: holderAddress.city }
  return { ...numbers, billingDetails: { name, ...holderAddress }, bankAddress: { ...place, country } }
}

/** The payee's account, linked and ready. */
export async function linkedPayee(client: CircleClient, request: object): Promise<{ id: string } | Outcome> {
  const reply = await client(paths.wires, { idempotencyKey: keyOf(paths.wires, request), ...request })
  const linked = readData(reply, wireSchema)
  if (!linked) return beforeMoving(outcomeOf(reply, () => undefined))
  const isReady = linked.status === 'complete'
  const current = isReady ? linked : readData(await client(`${paths.wires}/${linked.id}`), wireSchema)
  if (current?.status === 'complete') return linked
  if (current?.status === 'failed') return declined('ACCOUNT_INVALID', 'final')
  return { kind: 'not_sent', reason: 'the bank account is still being linked' }
}
