import type { Attempt, CollectDetails, Connector, Payee } from '../../../connectors/kit/connector.ts'
import { toRate } from '../../../lib/decimal.ts'
import { formatMinor, type Money } from '../../../lib/money.ts'
import { corridorKey, type Breakers } from '../../provider-configs/track-route-health.ts'
import type { CorridorSource } from '../../provider-configs/list-corridor.ts'
import type { ConnectorSource } from '../../provider-configs/load-connector.ts'
import { fieldNeeded, routingConfigNotFound } from '../errors.ts'
import { recordDirections, type RouteCandidate, type Routing } from '../record.ts'

export interface RouteRequest {
  orgId: string
  /** The source amount, which the amount range of a provider configuration refers to. */
  source: Money
  /** The attempt as a provider would receive it; it has no reference yet. */
  attempt: Attempt & { direction: 'payin' | 'payout' }
  details: CollectDetails | Payee
  /** For mobile money: the code of the chosen network at each provider. */
  networkCodes: Readonly<Record<string, string>> | undefined
}

export interface RoutingDeps {
  connectors: ConnectorSource
  corridors: CorridorSource
  breakers: Breakers
}

interface Config extends RouteCandidate {
  minAmount: string | null
  maxAmount: string | null
}

/** Chooses the providers that can carry the payment, best first, and records why each other one cannot. */
export async function chooseRoute(deps: RoutingDeps, request: RouteRequest): Promise<Routing> {
  const { attempt } = request
  const configs = await deps.corridors.list(request.orgId, {
    country: attempt.country,
    paymentMethod: attempt.method,
    direction: recordDirections[attempt.direction],
  })
  const judged = await Promise.all(configs.map((config) => judge(deps, request, config)))
  const fit = judged.filter((verdict) => verdict.reason === undefined)
  const [unhealthy, healthy] = partition(fit, ({ config }) =>
    deps.breakers.isUnhealthy(corridorKey(config.provider, attempt.country, attempt.method)),
  )
  const candidates = [...healthy, ...unhealthy].map(({ config }) => {
    const networkCode = request.networkCodes?.[config.provider]
    return { ...routeOf(config), ...(networkCode !== undefined && { networkCode }) }
  })
  if (candidates.length === 0) throw refusal(judged.map((verdict) => verdict.missing))
  return {
    candidates,
    considered: judged.map(({ config, reason }) => ({
      ...routeOf(config),
      taken: reason === undefined,
      reason:
        reason ??
        (unhealthy.some((verdict) => verdict.config === config) ? 'unhealthy: moved to the end' : 'fits'),
    })),
  }
}

/** 400 when a provider only lacks a field of the request, 422 when no configuration fits. */
function refusal(missing: (string[] | undefined)[]): Error {
  const fields = missing.find((list) => list !== undefined && list.length > 0)
  return fields ? fieldNeeded(fields) : routingConfigNotFound()
}

const routeOf = (config: Config): RouteCandidate => ({ provider: config.provider, configId: config.configId })

interface Verdict {
  config: Config
  reason: string | undefined
  missing?: string[]
}

async function judge(deps: RoutingDeps, request: RouteRequest, config: Config): Promise<Verdict> {
  const { attempt, source } = request
  const outside = rangeProblem(config, source)
  if (outside !== undefined) return { config, reason: outside }
  const connector = await deps.connectors.load(request.orgId, config.provider)
  if (!connector) return { config, reason: 'it has no credentials' }
  const unable = inability(connector, attempt)
  if (unable !== undefined) return { config, reason: unable }
  const reaches =
    request.networkCodes === undefined || !connector.listNetworks || config.provider in request.networkCodes
  if (!reaches) return { config, reason: 'it does not reach the network' }
  const missing = connector.missingFields?.(attempt, request.details) ?? []
  return missing.length > 0
    ? { config, reason: `it needs ${missing.join(', ')}`, missing }
    : { config, reason: undefined }
}

export function rangeProblem(
  config: Pick<Config, 'minAmount' | 'maxAmount'>,
  source: Money,
): string | undefined {
  const amount = toRate(formatMinor(source.amountMinor, source.currency))
  if (config.minAmount !== null && amount.lt(config.minAmount)) return 'the amount is below its range'
  return config.maxAmount !== null && amount.gt(config.maxAmount)
    ? 'the amount is above its range'
    : undefined
}

type Corridor = Pick<Attempt, 'direction' | 'method' | 'country'> & { amount: Pick<Money, 'currency'> }

export function inability(connector: Connector, attempt: Corridor): string | undefined {
  const same = connector.capabilities.filter(
    (capability) =>
      capability.direction === attempt.direction &&
      capability.method === attempt.method &&
      capability.countries.includes(attempt.country),
  )
  if (same.length === 0) return 'it cannot do this method in this country'
  return same.some((capability) => capability.currencies.includes(attempt.amount.currency))
    ? undefined
    : 'it does not support the currency'
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
