import type { Clock } from '../../../lib/clock.ts'
import type { Attempt, ConnectorDefinition, Inquiry } from '../connector.ts'
import type { HttpCall, HttpClient } from '../http-client.ts'
import { payChecks, type TestPayment } from './pay-checks.ts'
import { absentRow, row, unknownAttempt, type Checking, type CheckRow, type Finding } from './rows.ts'
import { guardHttp, liveKeyOf, redactor, type GuardedHttp } from './sandbox-only.ts'

interface CheckInput {
  definition: ConnectorDefinition
  credentials: unknown
  http: HttpClient
  clock: Clock
  webhookUrl: string
  /** Absent: no payment is made. */
  pay?: TestPayment | undefined
}

const dayMs = 86_400_000
const closedStatuses = [401, 403, 429]
const namesShown = 5
const probedAccount = '0000000000'
/** Used if the provider lists no banks. */
const probedBank = '001'

/** Calls every function of the connector that moves no money, at the provider's sandbox. */
export async function checkConnector(input: CheckInput): Promise<CheckRow[]> {
  const { definition, credentials, http, clock, webhookUrl, pay } = input
  const parsed = definition.credentials.safeParse(credentials)
  if (!parsed.success) {
    const paths = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    const detail = redactor(credentials)(paths.join('; '))
    return [{ what: 'credentials', verdict: 'failed', detail, isAsked: false }]
  }
  const { sandbox } = definition
  if (!sandbox) return [refused('it has no sandbox that can be distinguished from live')]
  const liveKey = liveKeyOf(sandbox, credentials)
  if (liveKey !== undefined) return [refused(liveKey)]
  const guard = guardHttp(sandbox, http)
  const connector = definition.create({ credentials: parsed.data, http: guard.http, clock, webhookUrl })
  const checking = { connector, guard, definition, clock }
  const rows = [...(await lookUpChecks(checking)), ...(await listChecks(checking))]
  const [liveHost] = guard.refusedHosts
  if (liveHost !== undefined) return [refused(`${liveHost} is not its sandbox (${sandbox.hosts.join(', ')})`)]
  if (pay && !isUnauthorized(guard)) rows.push(...(await payChecks(checking, pay)))
  const redact = redactor(credentials)
  return [credentialsRow(guard, rows), ...rows].map((row) => ({ ...row, detail: redact(row.detail) }))
}

const refused = (reason: string): CheckRow => ({
  what: 'sandbox',
  verdict: 'failed',
  detail: `nothing was called: ${reason}`,
  isAsked: false,
})

const isUnauthorized = ({ answers }: GuardedHttp): boolean => answers.some(({ status }) => status === 401)

function credentialsRow(guard: GuardedHttp, rows: readonly CheckRow[]): CheckRow {
  const asked = rows.filter(({ isAsked }) => isAsked)
  const isAccepted = asked.some(({ verdict }) => verdict === 'ok')
  const row = { what: 'credentials', isAsked: asked.length > 0 }
  if (isUnauthorized(guard)) return { ...row, verdict: 'failed', detail: 'refused (HTTP 401)' }
  if (isAccepted) return { ...row, verdict: 'ok', detail: 'accepted' }
  if (row.isAsked) return { ...row, verdict: 'failed', detail: 'no call was answered' }
  return { ...row, verdict: 'skipped', detail: 'no call is possible without a payment' }
}

async function lookUpChecks(checking: Checking): Promise<CheckRow[]> {
  const { connector, definition } = checking
  const rows: CheckRow[] = []
  const seen = new Set<string>()
  for (const capability of connector.capabilities) {
    if (seen.has(capability.direction)) continue
    seen.add(capability.direction)
    const attempt = unknownAttempt(capability, definition.sandbox?.unknownId)
    rows.push(
      await row(checking.guard, `lookup, ${capability.direction.replaceAll('_', ' ')}`, async () => {
        const before = checking.guard.calls()
        const inquiry = await connector.inquire(attempt)
        if (checking.guard.calls() === before && inquiry.kind === 'unknown')
          return { verdict: 'skipped', detail: inquiry.reason }
        return lookUpVerdict(checking.guard, attempt, inquiry)
      }),
    )
  }
  return rows
}

function lookUpVerdict({ answers }: GuardedHttp, { providerRef }: Attempt, inquiry: Inquiry): Finding {
  if (inquiry.kind === 'not_found') return { verdict: 'ok', detail: 'an unknown reference is not found' }
  if (inquiry.kind === 'unknown' && inquiry.isAsked)
    return { verdict: 'ok', detail: 'accepted; the answer comes by webhook' }
  // The answer for an unknown id has no fixed form, so any answer to the inquiry itself counts, except a 401.
  const isAbout = ({ url, body = '' }: HttpCall): boolean =>
    providerRef !== null && (url.includes(providerRef) || body.includes(providerRef))
  const answer = answers.findLast(({ call }) => isAbout(call))
  if (answer && !closedStatuses.includes(answer.status))
    return { verdict: 'ok', detail: `an unknown id is answered with HTTP ${answer.status}` }
  return {
    verdict: 'failed',
    detail: inquiry.kind === 'unknown' ? inquiry.reason : 'found a payment that does not exist',
  }
}

async function listChecks({ connector, clock, guard }: Checking): Promise<CheckRow[]> {
  const { capabilities } = connector
  const countryOf = (method: string): string =>
    (capabilities.find((capability) => capability.method === method) ?? capabilities[0])?.countries[0] ?? ''
  const [bankCountry, networkCountry] = [countryOf('bank_transfer'), countryOf('mobile_money')]
  let bankCode = probedBank
  const networks = await row(guard, 'networks', async () => {
    const found = (await connector.listNetworks?.(networkCountry)) ?? []
    return counted(
      networkCountry,
      found.map(({ network }) => network),
    )
  })
  const banks = await row(guard, 'banks', async () => {
    const found = (await connector.listBanks?.(bankCountry)) ?? []
    bankCode = found[0]?.code ?? bankCode
    return counted(
      bankCountry,
      found.map(({ name }) => name),
    )
  })
  const holder = await row(guard, 'account name', async () => {
    const account = { accountNumber: probedAccount, bankCode, country: bankCountry }
    const answer = (await connector.resolveAccount?.(account)) ?? { kind: 'unknown', reason: '' }
    if (answer.kind === 'unknown') return { verdict: 'failed', detail: answer.reason }
    return { verdict: 'ok', detail: `${probedAccount} at ${bankCode}: ${answer.kind.replace('_', ' ')}` }
  })
  const transactions = await row(guard, 'transactions', async () => {
    const since = new Date(clock.now().getTime() - dayMs)
    const page = await connector.listTransactions?.(since, null)
    const where = page?.nextCursor ? 'on the first page' : 'since yesterday'
    return { verdict: 'ok', detail: `${page?.transactions.length ?? 0} ${where}` }
  })
  return [
    connector.listNetworks ? networks : absentRow('networks'),
    connector.listBanks ? banks : absentRow('banks'),
    connector.resolveAccount ? holder : absentRow('account name'),
    connector.listTransactions ? transactions : absentRow('transactions'),
  ]
}

function counted(country: string, names: readonly string[]): Finding {
  const shown = names.slice(0, namesShown).join(', ')
  const detail = `${names.length} in ${country}: ${shown}${names.length > namesShown ? ', …' : ''}`
  return names.length > 0 ? { verdict: 'ok', detail } : { verdict: 'failed', detail: `none in ${country}` }
}
