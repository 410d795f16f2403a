import { readFileSync } from 'node:fs'
import { ApiError, OutcomeUnknown, Switchyard, type Beneficiary } from '@switchyard/sdk'

/**
 * Pays everyone in a CSV file once: `node pay.ts salaries.csv`. Columns: reference, beneficiary_id, amount.
 *
 * - A reference is paid once, however often the script runs: the script looks for an existing payment first, and the
 *   idempotency key protects against a concurrent run and a run after a crash.
 * - Amounts stay text all the way from the file to the ledger.
 * - A payment that has not ended is open, not failed. Exit codes: 0 all paid, 1 some failed, 2 the file is invalid,
 *   4 some are still open, so run the script again later.
 */
const { SWITCHYARD_URL = '', SWITCHYARD_API_KEY = '', WAIT_MS = '60000' } = process.env
const columns = 'reference,beneficiary_id,amount'
const amountPattern = /^\d+(?:\.\d+)?$/
const exitCodes = { paid: 0, failed: 1, wrongFile: 2, open: 4 } as const

type Result = 'paid' | 'failed' | 'open'

interface Payout {
  reference: string
  beneficiaryId: string
  amount: string
}

/** The whole file is read before anyone is paid, so an invalid line stops the script. */
function readPayouts(text: string): Payout[] {
  const [header, ...lines] = text.trim().split(/\r?\n/)
  if (header !== columns) throw new TypeError(`the first line must be ${columns}`)
  const payouts = lines.map((line, index) => {
    const [reference = '', beneficiaryId = '', amount = '', ...more] = line.split(',')
    if (more.length > 0 || reference === '' || beneficiaryId === '' || !amountPattern.test(amount))
      throw new TypeError(`line ${index + 2} is not ${columns}: ${line}`)
    return { reference, beneficiaryId, amount }
  })
  const references = new Set(payouts.map(({ reference }) => reference))
  if (references.size < payouts.length) throw new TypeError('a reference occurs twice in the file')
  return payouts
}

const switchyard = new Switchyard({ baseUrl: SWITCHYARD_URL, apiKey: SWITCHYARD_API_KEY })

/** The id of the payment, which an earlier run may have created. */
async function findOrStart({ reference, beneficiaryId, amount }: Payout): Promise<string> {
  const [found] = await switchyard.transactions.list({ client_reference: reference }).toArray({ limit: 1 })
  if (found) return found.payment_id
  const to: Beneficiary = await switchyard.beneficiaries.get(beneficiaryId)
  const { payment_id: id } = await switchyard.payments.initiate(
    {
      direction: 'payout',
      beneficiary_id: beneficiaryId,
      client_reference: reference,
      amount,
      target_amount: amount,
      currency: to.currency,
      target_currency: to.currency,
      country: to.country,
      payment_method: to.account_type === 'bank' ? 'bank_transfer' : 'mobile_money',
    },
    { idempotencyKey: `payout-${reference}` },
  )
  return id
}

async function pay(payout: Payout): Promise<Result> {
  const { reference, amount } = payout
  try {
    const id = await findOrStart(payout)
    const { outcome, currency } = await switchyard.payments.waitFor(id, { timeoutMs: Number(WAIT_MS) })
    const result = outcome === 'completed' ? 'paid' : outcome === 'unknown' ? 'open' : 'failed'
    console.log(`${reference}\t${amount} ${currency}\t${result}\t${id}`)
    return result
  } catch (error) {
    // Only a refusal proves that nothing was sent; after any other error, the request may have arrived.
    const isRefused = error instanceof ApiError && !(error instanceof OutcomeUnknown) && error.status < 500
    const result = isRefused ? 'failed' : 'open'
    console.log(
      `${reference}\t${amount}\t${result}\t${error instanceof Error ? error.message : String(error)}`,
    )
    return result
  }
}

async function payAll(file: string): Promise<number> {
  let payouts: Payout[]
  try {
    payouts = readPayouts(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`no one was paid: ${error instanceof Error ? error.message : String(error)}`)
    return exitCodes.wrongFile
  }
  const results: Result[] = []
  for (const payout of payouts) results.push(await pay(payout))
  return exitCodes[results.find((one) => one === 'open') ?? results.find((one) => one === 'failed') ?? 'paid']
}

process.exitCode = await payAll(process.argv[2] ?? '')
