import type { Connector, ConnectorDefinition } from '../connector.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { HttpClient, HttpResult } from '../http-client.ts'
import { unknownAttempt } from './rows.ts'

/** The provider's answer about keys, from calls that move no money. */
export interface KeyProbe {
  verdict: 'accepted' | 'refused' | 'unknown'
  /** The provider's own id of the account, if the provider reports it. */
  externalAccountId: string | undefined
  detail: string
}

interface ProbedKeys {
  definition: ConnectorDefinition
  /** As stored. */
  credentials: unknown
  http: HttpClient
  clock: Clock
  webhookUrl: string
}

const hourMs = 3_600_000

export async function probeKeys(input: ProbedKeys): Promise<KeyProbe> {
  const { definition, clock, webhookUrl } = input
  const parsed = definition.credentials.safeParse(input.credentials)
  if (!parsed.success)
    return verdictOf('refused', `the stored keys are not complete: ${pathsOf(parsed.error.issues)}`)
  const answers: HttpResult[] = []
  const http: HttpClient = async (call) => {
    const answer = await input.http(call)
    answers.push(answer)
    return answer
  }
  const connector = definition.create({ credentials: parsed.data, http, clock, webhookUrl })
  const externalAccountId = await connector.identify?.()
  if (externalAccountId !== undefined)
    return { verdict: 'accepted', externalAccountId, detail: 'the provider named the account of the keys' }
  const isHandled = await isAnyHandled(definition, connector, clock)
  return read(definition, answers, isHandled)
}

const verdictOf = (verdict: KeyProbe['verdict'], detail: string): KeyProbe => ({
  verdict,
  externalAccountId: undefined,
  detail,
})

const pathsOf = (issues: readonly { path: PropertyKey[] }[]): string =>
  issues.map(({ path }) => path.join('.')).join(', ')

/** Whether one of the harmless calls was answered as with working keys. The first that is ends the probe. */
async function isAnyHandled(
  definition: ConnectorDefinition,
  connector: Connector,
  clock: Clock,
): Promise<boolean> {
  const [capability] = connector.capabilities
  const country = capability?.countries[0] ?? ''
  const calls: (() => Promise<boolean>)[] = [
    async () => {
      const since = new Date(clock.now().getTime() - hourMs)
      return (await connector.listTransactions?.(since, null)) !== undefined
    },
    async () => ((await connector.listBanks?.(country)) ?? []).length > 0,
    async () => ((await connector.listNetworks?.(country)) ?? []).length > 0,
    async () => {
      if (!capability) return false
      const inquiry = await connector.inquire(unknownAttempt(capability, definition.sandbox?.unknownId))
      return inquiry.kind !== 'unknown' || inquiry.isAsked === true
    },
  ]
  for (const call of calls) if (await call().catch(() => false)) return true
  return false
}

function read(definition: ConnectorDefinition, answers: readonly HttpResult[], isHandled: boolean): KeyProbe {
  if (isHandled) return verdictOf('accepted', 'the provider answered a request with these keys')
  const answered = answers.filter((answer) => answer.kind === 'answered')
  const word = definition.sandbox?.unknownKeyWord
  const refusal = answered.find(
    ({ status, body }) =>
      status === 401 || status === 403 || (word !== undefined && status >= 400 && body.includes(word)),
  )
  if (refusal) return verdictOf('refused', `the provider refused the keys (HTTP ${refusal.status})`)
  if (answers.length === 0) return verdictOf('unknown', 'there is nothing to ask at this provider')
  const last = answered.at(-1)
  return verdictOf(
    'unknown',
    last ? `the provider answered HTTP ${last.status}` : 'the provider could not be reached',
  )
}
