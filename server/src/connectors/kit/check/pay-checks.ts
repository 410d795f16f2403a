import { parseMinor } from '../../../lib/money/money.ts'
import type { AcceptedOutcome, Attempt, Capability, CollectDetails, Inquiry } from '../connector.ts'
import { row, unknownAttempt, type Checking, type CheckRow, type Finding } from './rows.ts'

/** The operator's options for the payment. They can be omitted if the payer enters them on a page. */
export interface TestPayment {
  country?: string | undefined
  currency?: string | undefined
  /** In the major unit. */
  amount?: string | undefined
  phone?: string | undefined
  network?: string | undefined
}

const smallestAmount = '1'
const returnUrl = 'https://example.com/connector-check'
const payer = { name: 'Connector Check', email: 'connector-check@example.com' }

/** Creates the smallest possible payin in the sandbox and looks it up. It is never paid. */
export async function payChecks(checking: Checking, wanted: TestPayment): Promise<CheckRow[]> {
  let accepted: AcceptedOutcome | undefined
  let attempt: Attempt | undefined
  const paid = await row(checking.guard, 'payment', async () => {
    const prepared = await prepare(checking, wanted)
    if (typeof prepared === 'string') return { verdict: 'failed', detail: prepared }
    attempt = prepared.attempt
    const outcome = await checking.connector.collect?.(attempt, prepared.details)
    if (outcome?.kind === 'accepted') {
      accepted = outcome
      const next = outcome.nextAction ? `, then ${outcome.nextAction.type}` : ''
      const money = `${prepared.amount} ${attempt.amount.currency} from ${attempt.country}`
      return { verdict: 'ok', detail: `${money} by ${attempt.method}: ${outcome.state.state}${next}` }
    }
    if (outcome?.kind === 'declined')
      return { verdict: 'failed', detail: `${outcome.failure.code}: ${outcome.failure.message}` }
    return { verdict: 'failed', detail: outcome?.reason ?? 'it has no payins' }
  })
  if (!accepted || !attempt) return [paid]
  const known = { ...attempt, providerRef: accepted.providerRef }
  const found = await row(checking.guard, 'lookup of it', async () =>
    foundVerdict(await checking.connector.inquire(known)),
  )
  return [paid, found]
}

function foundVerdict(inquiry: Inquiry): Finding {
  if (inquiry.kind === 'accepted') return { verdict: 'ok', detail: inquiry.state.state }
  if (inquiry.kind === 'not_found') return { verdict: 'failed', detail: 'not found' }
  return { verdict: inquiry.isAsked ? 'ok' : 'failed', detail: inquiry.reason }
}

interface PreparedCheck {
  attempt: Attempt
  details: CollectDetails
  amount: string
}

/** Returns a sentence if something is missing. */
async function prepare({ connector }: Checking, wanted: TestPayment): Promise<PreparedCheck | string> {
  const found = chooseCapability(connector.capabilities, wanted)
  if (!found) return 'no payin fits: see --country, --currency and --phone'
  const country = wanted.country ?? found.countries[0] ?? ''
  const currency = wanted.currency ?? found.currencies[0] ?? ''
  const networks = found.method === 'mobile_money' ? ((await connector.listNetworks?.(country)) ?? []) : []
  const network = networks.find((one) =>
    wanted.network === undefined ? one.status === 'operational' : one.network === wanted.network,
  )
  const amount = wanted.amount ?? network?.minAmount ?? smallestAmount
  const amountMinor = parseMinor(amount, currency)
  if (amountMinor === undefined) return `${amount} is no amount of ${currency}`
  const { phone } = wanted
  // A provider may accept a network although it lists none.
  const name = wanted.network ?? network?.network
  const details: CollectDetails = {
    payer: { ...payer, phone },
    returnUrl,
    ...(phone !== undefined && name !== undefined && { mobileMoney: { network: name, phoneNumber: phone } }),
  }
  const unknown = unknownAttempt(found)
  const attempt = { ...unknown, providerRef: null, country, amount: { amountMinor, currency } }
  const missing = connector.missingFields?.(attempt, details) ?? []
  if (missing.length > 0) return `it needs ${missing.join(', ')}: see --phone and --network`
  return { attempt, details, amount }
}

/** Without a phone number, a payin for which the payer enters everything on the provider's page. */
function chooseCapability(
  capabilities: readonly Capability[],
  { country, currency, phone }: TestPayment,
): Capability | undefined {
  const fitting = capabilities.filter(
    (capability) =>
      capability.direction === 'payin' &&
      (country === undefined || capability.countries.includes(country)) &&
      (currency === undefined || capability.currencies.includes(currency)),
  )
  const isWanted = ({ method }: Capability): boolean => (method === 'mobile_money') === (phone !== undefined)
  return fitting.find(isWanted) ?? fitting[0]
}
