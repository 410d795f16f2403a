import { setImmediate as nextTick } from 'node:timers/promises'
import type { z } from 'zod'
import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import { checkRequest } from '../../../lib/requests/check-request.ts'
import { isUuid, newId } from '../../../lib/ids.ts'
import { isFiat, readMoney, type Money } from '../../../lib/money/money.ts'
import { toSentence } from '../../../lib/text/sentences.ts'
import { listAccounts } from '../../parties/beneficiaries/reads.ts'
import type { BeneficiaryAccount } from '../../parties/beneficiaries/record.ts'
import { pricePayment } from '../../pricing/fees/price-payment.ts'
import { payoutCorridor } from '../../payments/initiation/check-corridor.ts'
import type { BatchDeps, BatchTotal, CheckedRows, NewRow, RowError } from './record.ts'
import { errorsLimit } from './rules.ts'
import { batchRow, readAmount } from './schema.ts'

type RawRow = Readonly<Record<string, unknown>>
type ParsedRow = z.infer<typeof batchRow>
type FieldProblem = Omit<RowError, 'row'>

/** Other requests of the process get their turn after so many rows. */
const rowsPerTurn = 250

/**
 * Checks all rows and counts every error of each, with one query for all beneficiaries and one for each corridor.
 * What an error of one field does not prevent is checked nevertheless, so that a file is corrected in one pass.
 */
export async function validateRows(
  deps: BatchDeps,
  orgId: string,
  rawRows: readonly RawRow[],
): Promise<CheckedRows> {
  const check = {
    accounts: await listAccounts(deps, orgId, [...new Set(rawRows.flatMap(idsOf))]),
    canPay: createCorridors(deps, orgId),
    firstRows: new Map<string, number>(),
  }
  const rows: NewRow[] = []
  const found: Findings = { errors: [], errorCount: 0, wrongRows: 0 }
  const totals = new Map<string, BatchTotal>()
  for (const [index, raw] of rawRows.entries()) {
    const rowNo = index + 1
    const { problems, row } = await checkRow(check, rowNo, raw)
    addProblems(found, rowNo, problems)
    if (row) {
      rows.push(row)
      addUp(totals, row.amount, await feeOf(deps, orgId, row))
    }
    if (rowNo % rowsPerTurn === 0) await nextTick()
  }
  return {
    rows,
    ...found,
    totals: [...totals.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  }
}

type Findings = Pick<CheckedRows, 'errors' | 'errorCount' | 'wrongRows'>

function addProblems(found: Findings, row: number, problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  found.errorCount += problems.length
  found.wrongRows += 1
  for (const { field, message } of problems.slice(0, errorsLimit - found.errors.length))
    found.errors.push({ row, field, message: toSentence(field, message) })
}

interface RowCheck {
  accounts: ReadonlyMap<string, BeneficiaryAccount>
  canPay: (account: BeneficiaryAccount, amount: Money) => Promise<boolean>
  /** The first row of each reference. */
  firstRows: Map<string, number>
}

async function checkRow(
  check: RowCheck,
  rowNo: number,
  raw: RawRow,
): Promise<{ problems: FieldProblem[]; row?: NewRow }> {
  const parsed = checkRequest(batchRow, raw)
  const account = check.accounts.get(idsOf(raw)[0] ?? '')
  const amount = moneyOf(raw)
  const problems = [
    ...(parsed.details?.map(({ path, message }) => ({ field: path, message })) ?? []),
    ...duplicateProblem(check, rowNo, raw['client_reference']),
    ...accountProblems(raw, account),
    ...(amount === 'decimals'
      ? [{ field: 'amount', message: 'has more decimals than its currency has' }]
      : []),
  ]
  if (problems.length > 0 || !parsed.success || !account || !amount || amount === 'decimals')
    return { problems }
  if (!(await check.canPay(account, amount))) return { problems: [noRoute(account)] }
  return { problems, row: newRow(rowNo, parsed.data, { account, amount }) }
}

function duplicateProblem({ firstRows }: RowCheck, rowNo: number, reference: unknown): FieldProblem[] {
  if (typeof reference !== 'string' || reference.trim() === '') return []
  const first = firstRows.get(reference.trim())
  if (first === undefined) firstRows.set(reference.trim(), rowNo)
  return first === undefined ? [] : [{ field: 'client_reference', message: `is also in row ${first}` }]
}

function accountProblems(raw: RawRow, account: BeneficiaryAccount | undefined): FieldProblem[] {
  const field = 'beneficiary_id'
  if (!account) return idsOf(raw).length === 0 ? [] : [{ field, message: 'there is no such beneficiary' }]
  if (methodOf(account) === undefined) return [{ field, message: 'is a wallet, which a batch cannot pay' }]
  const { currency } = raw
  if (typeof currency !== 'string' || !isFiat(currency) || currency === account.currency) return []
  return [
    { field: 'currency', message: `is not the currency of the beneficiary, which is ${account.currency}` },
  ]
}

const noRoute = ({ country, currency }: BeneficiaryAccount): FieldProblem => ({
  field: 'amount',
  message: `no provider is configured to pay this amount in ${currency} to ${country}`,
})

const methods: Readonly<Record<string, PaymentMethod | undefined>> = {
  bank: 'bank_transfer',
  mobile_money: 'mobile_money',
}
const methodOf = ({ accountType }: BeneficiaryAccount): PaymentMethod | undefined => methods[accountType]

/** The id of the row's beneficiary, or an empty list if the row has no valid id. */
function idsOf(raw: RawRow): string[] {
  const id = raw['beneficiary_id']
  const lower = typeof id === 'string' ? id.toLowerCase() : ''
  return isUuid(lower) ? [lower] : []
}

/** Undefined when the amount or the currency is wrong by itself. */
function moneyOf({ amount, currency }: RawRow): Money | 'decimals' | undefined {
  const digits = readAmount(amount)
  if (digits === undefined || typeof currency !== 'string' || !isFiat(currency)) return undefined
  return readMoney(digits, currency) ?? 'decimals'
}

const newRow = (
  rowNo: number,
  { client_reference, beneficiary_id, description }: ParsedRow,
  { account, amount }: { account: BeneficiaryAccount; amount: Money },
): NewRow => ({
  rowNo,
  paymentId: newId(),
  clientReference: client_reference,
  beneficiaryId: beneficiary_id,
  beneficiaryUpdatedAt: account.updatedAt,
  country: account.country,
  method: methodOf(account) ?? 'bank_transfer',
  amount,
  description: description ?? null,
})

/** Each corridor is read once for all rows. */
function createCorridors(deps: BatchDeps, orgId: string): RowCheck['canPay'] {
  const corridors = new Map<string, ReturnType<typeof payoutCorridor>>()
  return async (account, amount) => {
    const method = methodOf(account)
    if (method === undefined) return false
    const corridor = { country: account.country, method, currency: amount.currency }
    const key = Object.values(corridor).join(' ')
    const known = corridors.get(key) ?? payoutCorridor(deps, orgId, corridor)
    corridors.set(key, known)
    return (await known)(amount)
  }
}

const feeOf = async (deps: BatchDeps, orgId: string, row: NewRow): Promise<bigint> =>
  (await pricePayment(deps, orgId, { ...row, direction: 'outbound' }))?.amountMinor ?? 0n

function addUp(totals: Map<string, BatchTotal>, { currency, amountMinor }: Money, feeMinor: bigint): void {
  const total = totals.get(currency) ?? { currency, rows: 0, amountMinor: 0n, feeMinor: 0n }
  totals.set(currency, {
    currency,
    rows: total.rows + 1,
    amountMinor: total.amountMinor + amountMinor,
    feeMinor: total.feeMinor + feeMinor,
  })
}
