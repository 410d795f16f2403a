import { createHash } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call, OpenCall } from '../../core/call.ts'
import type { Store } from '../../core/store.ts'
import type { Kit, Route } from '../../protocol.ts'
import { sandbox } from './sandbox.ts'
import { amountSchema, idempotencyKeyOf, majorOf, newTransferId, parseRequest, problem } from './wire.ts'

/** Balance Platform v2: business accounts of a balance account, and the deposits that arrive at them. */
const inputSchema = z.strictObject({
  type: z.literal('bankAccount'),
  balanceAccountId: z.string(),
  issuingCountryCode: z.enum(['NL', 'GB', 'US']),
  description: z.string().max(300).optional(),
  reference: z.string().max(150).optional(),
})

const instrumentSchema = inputSchema.extend({
  id: z.string(),
  account: z.string(),
  bankAccount: z.record(z.string(), z.string()),
})
type Instrument = z.infer<typeof instrumentSchema>

const CURRENCIES = { NL: 'EUR', GB: 'GBP', US: 'USD' } as const

const depositSchema = z.object({
  account: z.string().default('default'),
  account_number: z.string().min(1),
  amount: amountSchema.shape.value,
  /** By default, the account's currency. */
  currency: amountSchema.shape.currency.optional(),
  sender_name: z.string().default('SANDBOX SENDER'),
  reference: z.string().default('Sandbox deposit'),
})

interface Accounts {
  readonly kit: Kit
  /** Indexed by account number and by IBAN. */
  readonly instruments: Store<Instrument>
}

export function accountRoutes(kit: Kit): Route[] {
  const accounts: Accounts = { kit, instruments: kit.objects('instruments', instrumentSchema) }
  return [
    {
      method: 'POST',
      path: '/adyen/bcl/v2/paymentInstruments',
      on: 'prepare',
      reference: idempotencyKeyOf,
      handle: (call) => openAccount(accounts, call),
    },
    {
      method: 'POST',
      path: '/adyen/_bank/deposit',
      on: 'page',
      open: true,
      handle: (call) => depositByBank(accounts, call),
    },
  ]
}

const invalid = (field: string): Answer => problem(422, '30_112', `Invalid value for ${field}`)

/** The account is derived from the idempotency key, so that a repeated request returns the same one. */
function openAccount({ instruments }: Accounts, call: Call): Answer {
  const parsed = parseRequest(inputSchema, call, invalid)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  if (input.balanceAccountId !== call.account.options['balance_account']) return invalid('balanceAccountId')
  const seed = `${call.account.name} ${idempotencyKeyOf(call) ?? newTransferId()}`
  const id = `PI${createHash('sha256').update(seed).digest('hex').slice(0, 23).toUpperCase()}`
  const bankAccount = bankAccountOf(input.issuingCountryCode, seed)
  const { account, ...answer } = { ...input, id, account: call.account.name, bankAccount }
  for (const number of [bankAccount['iban'], bankAccount['accountNumber']])
    if (number !== undefined) instruments.put(number, { ...answer, account })
  return json(200, { ...answer, status: 'active' })
}

function bankAccountOf(country: Instrument['issuingCountryCode'], seed: string): Record<string, string> {
  const digits = (count: number): string =>
    String(createHash('sha256').update(seed).digest().readUIntBE(0, 6)).padStart(15, '0').slice(-count)
  if (country === 'NL')
    return { formFactor: 'physical', iban: ibanOf('NL', `ADYB${digits(10)}`), type: 'iban' }
  if (country === 'US')
    return {
      accountNumber: digits(9),
      accountType: 'checking',
      formFactor: 'physical',
      routingNumber: '210000210',
      type: 'usLocal',
    }
  const [accountNumber, sortCode] = [digits(8), '042957']
  const iban = ibanOf('GB', `ADYX${sortCode}${accountNumber}`)
  return { accountNumber, formFactor: 'physical', iban, sortCode, type: 'ukLocal' }
}

/** Computes the check digits of ISO 13616. */
function ibanOf(country: string, rest: string): string {
  const number = `${rest}${country}00`
    .split('')
    .map((letter) => Number.parseInt(letter, 36))
    .join('')
  return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${rest}`
}

/** Acts as a sender's bank: sends an amount to an account, even an unknown one. No real API has this. */
async function depositByBank({ kit, instruments }: Accounts, call: OpenCall): Promise<Answer> {
  const parsed = parseRequest(depositSchema, call, invalid)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const known = instruments.get(input.account_number)
  const currency = input.currency ?? (known ? CURRENCIES[known.issuingCountryCode] : undefined)
  if (currency === undefined) return invalid('currency')
  const id = newTransferId()
  const body = {
    id,
    category: 'bank',
    categoryData: { type: 'bank' },
    balanceAccount: { id: known?.balanceAccountId ?? sandbox.account.options.balance_account },
    paymentInstrument: { id: known?.id ?? 'PI00000000000000000000000' },
    counterparty: {
      bankAccount: {
        accountHolder: { fullName: input.sender_name, type: 'unknown' },
        accountIdentification: { type: 'iban', iban: 'NL91ABNA0417164300' },
      },
    },
    direction: 'incoming',
    type: 'bankTransfer',
    reference: newTransferId(),
    referenceForBeneficiary: input.reference,
  }
  const transaction = kit.accept({
    account: known?.account ?? input.account,
    operation: 'collect',
    reference: id,
    providerRef: id,
    method: 'bank_transfer',
    amount: majorOf({ value: input.amount, currency }),
    currency,
    state: 'pending',
    webhooks: 'once',
    plan: [],
    details: { body, reference: body.reference },
  })
  await kit.move(transaction, { state: 'completed' })
  return json(200, { outcome: 'deposited', reference: id })
}
