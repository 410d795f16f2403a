import type {
  Attempt,
  Capability,
  CollectDetails,
  Connector,
  Payee,
} from '../../../connectors/kit/connector.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Money } from '../../../lib/money/money.ts'
import {
  chooseRoute,
  isOutOfBounds,
  outsideBounds,
  rangeProblem,
  type RoutingDeps,
} from '../../payments/initiation/choose-route.ts'
import { fieldNeeded, routingConfigNotFound } from '../../payments/errors.ts'
import type { Routing } from '../../payments/record.ts'
import type { Carrier } from '../../providers/accounts/record.ts'
import type { RoutableConfig } from '../../providers/configs/record.ts'
import type { RampDraft } from './draft-ramp.ts'
import type { LegRoute, RampRoute } from './record.ts'
import { loadLegConnector } from './load-leg-connector.ts'
import type { RampDeps } from './record.ts'

export type RampRoutingDeps = RampDeps & RoutingDeps

type Config = Pick<
  RoutableConfig,
  'provider' | 'configId' | 'minAmount' | 'maxAmount' | 'carrier' | 'reason' | 'operatorBounds'
>

interface Verdict {
  config: Config
  routes: RampRoute[]
  reason: string
  missing?: string[]
}

/** The request with what was computed for it before routing. */
interface RampTerms {
  orgId: string
  draft: RampDraft
  crypto: Money
  now: Date
}

/** Chooses the routes that can carry the ramp, best first, and records why each other one cannot. */
export async function chooseRampRoutes(
  deps: RampRoutingDeps,
  terms: RampTerms,
): Promise<{ routes: RampRoute[]; considered: Routing['considered'] }> {
  const configs = await deps.corridors.list(terms.orgId, {
    country: terms.draft.country,
    paymentMethod: 'crypto',
    direction: 'external',
  })
  const verdicts = await Promise.all(configs.map((config) => judge(deps, terms, config)))
  const routes = verdicts.flatMap((verdict) => verdict.routes)
  if (routes.length === 0) {
    const missing = verdicts.find((verdict) => verdict.missing)?.missing
    throw missing ? fieldNeeded(missing) : routingConfigNotFound()
  }
  return {
    routes,
    considered: verdicts.map(({ config, routes: taken, reason }) => ({
      provider: config.provider,
      configId: config.configId,
      accountId: config.carrier?.accountId ?? null,
      custody: config.carrier?.custody ?? null,
      taken: taken.length > 0,
      reason,
    })),
  }
}

async function judge(deps: RampRoutingDeps, terms: RampTerms, config: Config): Promise<Verdict> {
  const { fiat } = terms.draft
  const { carrier } = config
  const no = (reason: string): Verdict => ({ config, routes: [], reason })
  if (!carrier) return no(config.reason ?? 'it has no credentials')
  const outside = rangeProblem(config, fiat)
  if (outside !== undefined) return no(outside)
  if (isOutOfBounds(config, fiat)) return no(outsideBounds)
  if (config.provider === 'hybrid') return composed(deps, terms, config)
  const connector = await loadLegConnector(deps, terms.orgId, { ...config, ...carrier })
  if (!connector) return no('it has no credentials')
  return byOne(terms, { ...config, carrier }, connector)
}

/** A single provider carries both legs, in one call or in two. */
function byOne(terms: RampTerms, config: Config & { carrier: Carrier }, connector: Connector): Verdict {
  const { draft } = terms
  const leg = (method: LegRoute['method']): LegRoute => ({
    provider: config.provider,
    configId: config.configId,
    ...config.carrier,
    method,
    ...(draft.networkCodes?.[config.provider] !== undefined && {
      networkCode: draft.networkCodes[config.provider],
    }),
  })
  const base = { provider: config.provider, configId: config.configId }
  if (connector.capabilities.some((one) => ramps(one, draft))) {
    const route: RampRoute = { ...base, first: leg(draft.fiatMethod), isWhole: true, deliveries: [] }
    return { config, routes: [route], reason: 'fits' }
  }
  const [cryptoDirection, fiatDirection] =
    draft.direction === 'on_ramp' ? (['payout', 'payin'] as const) : (['payin', 'payout'] as const)
  const hasCrypto = connector.capabilities.some((one) => movesCrypto(one, cryptoDirection, draft))
  const hasFiat = connector.capabilities.some(
    (one) => one.direction === fiatDirection && one.method === draft.fiatMethod && movesFiat(one, draft),
  )
  if (!hasCrypto) return { config, routes: [], reason: 'it does not carry the asset on this network' }
  if (!hasFiat) return { config, routes: [], reason: 'it does not move this fiat in this country' }
  const missing = connector.missingFields?.(fiatAttempt(terms), fiatDetails(terms)) ?? []
  if (missing.length > 0) return { config, routes: [], reason: `it needs ${missing.join(', ')}`, missing }
  const [first, second] =
    draft.direction === 'on_ramp'
      ? [leg(draft.fiatMethod), leg('crypto')]
      : [leg('crypto'), leg(draft.fiatMethod)]
  return { config, routes: [{ ...base, first, isWhole: false, deliveries: [second] }], reason: 'fits' }
}

const movesFiat = (capability: Capability, { country, fiat }: RampDraft): boolean =>
  capability.countries.includes(country) && capability.currencies.includes(fiat.currency)

const movesCrypto = (
  capability: Capability,
  direction: 'payin' | 'payout',
  { asset, network }: RampDraft,
): boolean =>
  capability.direction === direction &&
  capability.method === 'crypto' &&
  (capability.assets?.[asset]?.includes(network) ?? false)

const ramps = (capability: Capability, draft: RampDraft): boolean =>
  capability.direction === draft.direction &&
  capability.method === draft.fiatMethod &&
  movesFiat(capability, draft) &&
  (capability.assets?.[draft.asset]?.includes(draft.network) ?? false)

/**
 * Combines each fiat account of the installation in the country with our own wallet for the crypto leg. The wallet is
 * the operator's, so it delivers only against fiat that arrives at the operator's accounts.
 */
async function composed(deps: RampRoutingDeps, terms: RampTerms, config: Config): Promise<Verdict> {
  const { draft, orgId } = terms
  const isOnRamp = draft.direction === 'on_ramp'
  const wallet = await loadLegConnector(deps, orgId, { provider: 'crypto', accountId: null })
  const cryptoDirection = isOnRamp ? 'payout' : 'payin'
  if (!wallet?.capabilities.some((one) => movesCrypto(one, cryptoDirection, draft)))
    return { config, routes: [], reason: 'our wallet does not hold the asset on this network' }
  const rails = await fiatRails(deps, terms)
  if (rails instanceof AppError)
    return {
      config,
      routes: [],
      reason: rails.message,
      ...(rails.details && { missing: rails.details.map(({ path }) => path) }),
    }
  const crypto: LegRoute = {
    provider: 'crypto',
    configId: config.configId,
    accountId: null,
    custody: 'pooled',
    method: 'crypto',
  }
  const base = { provider: 'hybrid', configId: config.configId, isWhole: false }
  return {
    config,
    reason: 'fits',
    routes: isOnRamp
      ? rails.map((rail) => ({ ...base, first: rail, deliveries: [crypto] }))
      : [{ ...base, first: crypto, deliveries: rails }],
  }
}

async function fiatRails(deps: RampRoutingDeps, terms: RampTerms): Promise<LegRoute[] | AppError> {
  const { draft, orgId } = terms
  try {
    const { candidates } = await chooseRoute(deps, {
      orgId,
      source: draft.fiat,
      attempt: fiatAttempt(terms),
      details: fiatDetails(terms),
      networkCodes: draft.networkCodes,
      custody: {
        required: 'pooled',
        why: 'the operator’s wallet delivers only against the operator’s accounts',
      },
    })
    return candidates.map((candidate) => ({ ...candidate, method: draft.fiatMethod }))
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const fiatAttempt = ({ draft, now }: RampTerms): Attempt & { direction: 'payin' | 'payout' } => ({
  reference: '',
  providerRef: null,
  direction: draft.direction === 'on_ramp' ? 'payin' : 'payout',
  method: draft.fiatMethod,
  country: draft.country,
  amount: draft.fiat,
  createdAt: now,
})

const fiatDetails = ({ draft }: RampTerms): CollectDetails | Payee =>
  draft.details.payee ?? {
    payer: draft.details.payer,
    mobileMoney: draft.details.mobileMoney,
    payerAccount: draft.details.payerAccount,
    returnUrl: '',
  }
