import type { Attempt, CollectDetails, Connector, Payee } from '../../../connectors/kit/connector.ts'
import type { AppError } from '../../../lib/errors.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'
import { breakerKey, type Breakers } from '../../providers/configs/track-route-health.ts'
import type { CorridorSource } from '../../providers/configs/list-corridor.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { ConnectorSource } from '../../providers/accounts/load-connector.ts'
import type { RoutableConfig } from '../../providers/configs/record.ts'
import { fieldNeeded, routingConfigNotFound } from '../errors.ts'
import { recordDirections, type RouteCandidate, type Routing } from '../record.ts'
import { applyPolicy, signalOf, type PolicyDeps, type RoutingFacts } from './apply-policy.ts'

export interface RouteRequest {
  orgId: string
  /** The source amount, which the amount range of a provider configuration refers to. */
  source: Money
  /** The attempt as a provider would receive it; it has no reference yet. */
  attempt: Attempt & { direction: 'payin' | 'payout' }
  details: CollectDetails | Payee
  /** For mobile money: the code of the chosen network at each provider. */
  networkCodes: Readonly<Record<string, string>> | undefined
  /** Only accounts of this custody hold the money; `why` is the reason shown for the other accounts. */
  custody?: { required: Custody; why: string } | undefined
  /** The facts for the rules of the routing policy; without them only the priorities decide. */
  facts?: RoutingFacts | undefined
}

export interface RoutingDeps extends PolicyDeps {
  connectors: ConnectorSource
  corridors: CorridorSource
  breakers: Breakers
}

type Config = Pick<
  RoutableConfig,
  'provider' | 'configId' | 'minAmount' | 'maxAmount' | 'carrier' | 'reason' | 'operatorBounds'
>

/** Chooses the accounts that can carry the payment, best first, and records why each other one cannot. */
export async function chooseRoute(deps: RoutingDeps, request: RouteRequest): Promise<Routing> {
  const { routing, refusal, recordChoice } = await considerRoutes(deps, request)
  if (refusal) throw refusal
  recordChoice()
  return routing
}

/** Like `chooseRoute`, for callers that show the reasons even if no account can carry the payment. */
export async function considerRoutes(
  deps: RoutingDeps,
  request: RouteRequest,
): Promise<{ routing: Routing; refusal: AppError | undefined; recordChoice: () => void }> {
  const { attempt } = request
  const [configs, policy] = await Promise.all([
    deps.corridors.list(request.orgId, {
      country: attempt.country,
      paymentMethod: attempt.method,
      direction: recordDirections[attempt.direction],
    }),
    request.facts && deps.routingPolicies.published(request.orgId),
  ])
  const judged = await Promise.all(configs.map((config) => judge(deps, request, config)))
  const [demoted, healthy] = partition(judged.filter(isFit), isDemoted)
  const byPriority = [...healthy, ...demoted]
  // The custody is decided before the policy orders anything, so that no policy can choose which balance pays.
  const [otherCustody, taken] = partition(byPriority, ({ route }) =>
    paysFromOther(attempt, route, byPriority),
  )
  const routesOf = (fits: readonly FitRoute[]): RouteCandidate[] => fits.map(({ route }) => route)
  const { ordered, decision, figuresOf, recordChoice } = applyPolicy(deps, request, {
    policy,
    healthy: routesOf(taken.filter((fit) => !isDemoted(fit))),
    unhealthy: routesOf(taken.filter(isDemoted)),
  })
  const reasonOf = (verdict: Verdict): string => {
    if (!isFit(verdict)) return verdict.reason
    return otherCustody.includes(verdict) ? 'it pays from the other custody' : (verdict.demotion ?? 'fits')
  }
  const routing = {
    candidates: ordered.map((route) => {
      const networkCode = request.networkCodes?.[route.provider]
      return { ...route, ...(networkCode !== undefined && { networkCode }) }
    }),
    considered: judged.map((verdict) => {
      const figures = isFit(verdict) ? figuresOf(verdict.route) : undefined
      return {
        provider: verdict.config.provider,
        configId: verdict.config.configId,
        accountId: verdict.config.carrier?.accountId ?? null,
        custody: verdict.config.carrier?.custody ?? null,
        taken: isFit(verdict) && ordered.includes(verdict.route),
        reason: reasonOf(verdict),
        ...(figures && { figures }),
      }
    }),
    ...(decision && { decision }),
    ...(decision && policy?.document.fallback && { fallback: policy.document.fallback }),
  }
  const refusal = ordered.length === 0 ? refusalFor(judged.map((verdict) => verdict.missing)) : undefined
  return { routing, refusal, recordChoice }
}

/** Why a suitable account is tried after the others; undefined if it is not demoted. */
function demotionOf(deps: RoutingDeps, request: RouteRequest, route: RouteCandidate): string | undefined {
  const { attempt } = request
  if (deps.routingSignals.isInMaintenance(route.accountId, attempt.createdAt))
    return 'in maintenance: moved to the end'
  const isUnhealthy =
    deps.breakers.isUnhealthy(breakerKey(request.orgId, route.accountId, attempt)) ||
    signalOf(deps, request, route)?.health === 'down'
  return isUnhealthy ? 'unhealthy: moved to the end' : undefined
}

/** A payout is held in one custody before it is sent, so the first route decides for all. */
const paysFromOther = (
  attempt: RouteRequest['attempt'],
  route: RouteCandidate,
  [first]: readonly FitRoute[],
): boolean => attempt.direction === 'payout' && route.custody !== first?.route.custody

/** 400 when a provider only lacks a field of the request, 422 when no configuration fits. */
function refusalFor(missing: (string[] | undefined)[]): AppError {
  const fields = missing.find((list) => list !== undefined && list.length > 0)
  return fields ? fieldNeeded(fields) : routingConfigNotFound()
}

interface UnfitRoute {
  config: Config
  reason: string
  missing?: string[]
}
interface FitRoute {
  config: Config
  reason: undefined
  missing?: undefined
  route: RouteCandidate
  /** Why it is tried after the others; undefined if it is not demoted. */
  demotion: string | undefined
}
type Verdict = FitRoute | UnfitRoute

const isFit = (verdict: Verdict): verdict is FitRoute => verdict.reason === undefined
const isDemoted = ({ demotion }: FitRoute): boolean => demotion !== undefined

async function judge(deps: RoutingDeps, request: RouteRequest, config: Config): Promise<Verdict> {
  const { attempt, source } = request
  const { carrier } = config
  if (!carrier || carrier.accountId === null)
    return { config, reason: config.reason ?? 'it has no credentials' }
  const outside = rangeProblem(config, source) ?? aboveMaximum(config, attempt.amount)
  if (outside !== undefined) return { config, reason: outside }
  if (request.custody && request.custody.required !== carrier.custody)
    return { config, reason: request.custody.why }
  const { accountId, custody } = carrier
  const connector = await deps.connectors.load(request.orgId, accountId)
  if (!connector) return { config, reason: 'it has no credentials' }
  const unable = inability(connector, attempt)
  if (unable !== undefined) return { config, reason: unable }
  if (isOutOfBounds(config, source, attempt.amount)) return { config, reason: outsideBounds }
  const reaches =
    request.networkCodes === undefined || !connector.listNetworks || config.provider in request.networkCodes
  if (!reaches) return { config, reason: 'it does not reach the network' }
  if (attempt.method === 'card' && !hasCard(request) && connector.hasCardPage !== true)
    return { config, reason: 'it has no page of its own for cards' }
  const missing = connector.missingFields?.(attempt, request.details) ?? []
  if (missing.length > 0) return { config, reason: `it needs ${missing.join(', ')}`, missing }
  const { provider, configId } = config
  const route = { provider, configId, accountId, custody }
  return { config, reason: undefined, route, demotion: demotionOf(deps, request, route) }
}

const hasCard = ({ details }: RouteRequest): boolean => 'card' in details && details.card !== undefined

export const outsideBounds = 'outside the operator’s bounds'

/** The amount must also fit a range of the operator, whose account it is. */
export const isOutOfBounds = (
  { operatorBounds }: Pick<Config, 'operatorBounds'>,
  source: Money,
  carried: Money = source,
): boolean =>
  operatorBounds !== undefined &&
  !operatorBounds.some((range) => (rangeProblem(range, source) ?? aboveMaximum(range, carried)) === undefined)

export function rangeProblem(
  config: Pick<Config, 'minAmount' | 'maxAmount'>,
  source: Money,
): string | undefined {
  const amount = toRate(formatMinor(source.amountMinor, source.currency))
  if (config.minAmount !== null && amount.lt(config.minAmount)) return 'the amount is below its range'
  return aboveMaximum(config, source)
}

/** A range has no currency, so its maximum also bounds what the provider moves: naming another currency lifts nothing. */
function aboveMaximum({ maxAmount }: Pick<Config, 'maxAmount'>, money: Money): string | undefined {
  const isAbove = maxAmount !== null && toRate(formatMinor(money.amountMinor, money.currency)).gt(maxAmount)
  return isAbove ? 'the amount is above its range' : undefined
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
