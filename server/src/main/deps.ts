import { Pool } from 'undici'
import { createAgent, createHttpClient, type HttpClient } from '../connectors/kit/http-client.ts'
import type { KybProvider } from '../connectors/kit/kyb-provider.ts'
import { createSumsub } from '../connectors/sumsub/provider.ts'
import { connectDatabase, type Database } from '../db/database.ts'
import { createVault } from '../db/vault.ts'
import { authenticateApiKey } from '../domains/api-keys/authenticate-api-key.ts'
import type { KeyMode } from '../domains/api-keys/rules.ts'
import {
  createApprovalPolicySource,
  hasPolicies,
  type ApprovalPolicySource,
} from '../domains/approval-policies/check-approval.ts'
import { policiesApplier } from '../domains/approval-policies/set-policies.ts'
import { readModulusTables, type ModulusTables } from '../domains/bank-validation/check-modulus.ts'
import { beneficiaryApplier } from '../domains/beneficiaries/update-beneficiary.ts'
import type { ChangeControl, ChangeRequestDeps } from '../domains/change-requests/record.ts'
import { createChangeControl } from '../domains/change-requests/request-change.ts'
import { defaultPayoutRetriesMs } from '../domains/escrow/disbursements/rules.ts'
import { updateShare } from '../domains/escrow/disbursements/update-share.ts'
import { createNetworkCache, type NetworkDeps } from '../domains/networks/list-networks.ts'
import { hasOpenPaymentTo, hasPaidTo } from '../domains/payments/check-open-payments.ts'
import { listPaymentStatuses } from '../domains/payments/list-statuses.ts'
import { authenticateToken } from '../domains/organizations/authenticate-token.ts'
import { invitationApplier } from '../domains/organizations/invitations/invite-member.ts'
import { memberAdditionApplier } from '../domains/organizations/members/add-member.ts'
import { listAdministratorsIn } from '../domains/organizations/members/list-administrators.ts'
import { memberRemovalApplier } from '../domains/organizations/members/remove-member.ts'
import { permissionsApplier } from '../domains/organizations/members/set-permissions.ts'
import { memberUpdateApplier } from '../domains/organizations/members/update-member.ts'
import { defaultSendDeadlineMs } from '../domains/payments/attempts/prepare-attempt.ts'
import { defaultPollSchedule, type PollSchedule } from '../domains/payments/attempts/rules.ts'
import type { Funding, PaymentDeps } from '../domains/payments/record.ts'
import { createConnectorSource } from '../domains/provider-accounts/load-connector.ts'
import type { OpenWork } from '../domains/provider-accounts/record.ts'
import { createCorridorSource, type CorridorSource } from '../domains/provider-configs/list-corridor.ts'
import { createBreakers } from '../domains/provider-configs/track-route-health.ts'
import type { ReviewDeps } from '../domains/payments/review-payment.ts'
import { accountApplier } from '../domains/provider-accounts/submit-change.ts'
import { checkRamp } from '../domains/ramps/check-ramp.ts'
import { noScreener, type Screener } from '../domains/ramps/screening/screen-address.ts'
import { feedRateSource, type RateSource } from '../domains/rates/refresh-rates.ts'
import { fundPayment } from '../domains/virtual-accounts/transactions/fund-payment.ts'
import type { DeliveryDeps } from '../domains/webhooks/deliveries/record.ts'
import { createBulkheads } from '../domains/webhooks/deliveries/limit-calls.ts'
import { defaultPostLimits } from '../domains/webhooks/deliveries/post-event.ts'
import { createDeliveryRecords } from '../domains/webhooks/deliveries/record-deliveries.ts'
import { createLocalBacklog } from '../domains/webhooks/deliveries/track-backlog.ts'
import { deliveryScheduleMs } from '../domains/webhooks/rules.ts'
import type { Probes } from '../http/health.ts'
import { createMetrics } from '../http/metrics.ts'
import type { ServerDeps } from '../http/server.ts'
import { createTokenBuckets } from '../http/token-buckets.ts'
import { systemClock, type Clock } from '../lib/clock.ts'
import { deriveKey } from '../lib/crypto.ts'
import { createEgressAgent } from '../lib/egress-guard.ts'
import { createLinks, type Links } from '../lib/links.ts'
import { createLog, type Log } from '../lib/log.ts'
import { createMailer, type Mailer } from '../lib/mailer.ts'
import type { ReturnUrlPolicy } from '../lib/return-target.ts'
import { singleFlight } from '../lib/single-flight.ts'
import { createTokenVerifier, type TokenVerifier } from '../lib/token.ts'
import { createLocalSigner, createRemoteSigner, type Signer } from '../wallet/signer.ts'
import { createChains } from '../wallet/chains.ts'
import type { Wallets } from '../wallet/record.ts'
import type { Config } from './config.ts'
import { hasOpenWorkAt } from './open-work.ts'

/** Everything that routes, operations and workflows depend on, created once per process. */
export interface Deps extends ServerDeps, PaymentDeps, DeliveryDeps {
  mailer: Mailer
  links: Links
  ingress: Pool
  verifyToken: TokenVerifier
  apiKeyMode: KeyMode
  apiKeyPepper: Buffer

  cursorKey: Buffer
  pageKey: Buffer
  webhookKey: Buffer
  limitUnverified: (account: string) => void
  accountNumberKey: Buffer

  approvalPolicies: ApprovalPolicySource
  changeControl: ChangeControl
  changeAppliers: ChangeRequestDeps['changeAppliers']
  listAdministrators: ChangeRequestDeps['listAdministrators']
  hasPolicies: ChangeRequestDeps['hasPolicies']
  checkRamp: ReviewDeps['checkRamp']
  hasPaidTo: typeof hasPaidTo
  /** Payments depends on beneficiaries and payment links, so these two get their view of payments from here. */
  hasOpenPaymentTo: typeof hasOpenPaymentTo
  listPaymentStatuses: typeof listPaymentStatuses
  corridors: CorridorSource
  /** Provider accounts are used by payments and ramps, so they get their view of open work from here. */
  hasOpenWorkAt: OpenWork
  networkCache: NetworkDeps['networkCache']
  rateSource: RateSource
  quoteLifetimeMs: number
  returnUrlPolicy: ReturnUrlPolicy
  pageRateLimit: { perSecond: number; burst: number }
  payoutRetriesMs: readonly number[]

  kyb: KybProvider | undefined
  screener: Screener
  wallets: Wallets
  modulusTables: ModulusTables | undefined

  close(): Promise<void>
}

/** Replacements for tests and for the programs in proof/. */
interface Overrides {
  clock?: Clock
  log?: Log
  /** The client with which connectors call their providers. */
  http?: HttpClient
  sendDeadlineMs?: number
  pollSchedule?: PollSchedule
  screener?: Screener
}

const ingressConnections = 32
/** Webhooks of one provider account that are forged, or unsigned and about nothing here; others are not limited. */
const unverifiedWebhooks = { perSecond: 1, burst: 30 }

export function createDeps(config: Config, overrides: Overrides = {}): Deps {
  const log = overrides.log ?? createLog(config.LOG_LEVEL)
  const clock = overrides.clock ?? systemClock
  const db = connectDatabase({
    appUrl: config.DATABASE_APP_URL,
    systemUrl: config.DATABASE_SYSTEM_URL,
    poolSize: config.DATABASE_POOL_SIZE,
  })
  const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM)
  const ingress = new Pool(new URL(config.ENGINE_INGRESS_URL).origin, { connections: ingressConnections })
  const apiKeyMode: KeyMode = config.SWITCHYARD_ENV === 'production' ? 'live' : 'test'
  const base = { db, clock, log, mailer, ingress, apiKeyMode, apiKeyPepper: config.API_KEY_PEPPER }
  const deps = {
    ...base,
    ...createIdentityDeps(base, config),
    ...createPaymentDeps(base, config, overrides),
    ...createWebhookDeps(db, config),
    modulusTables:
      config.UK_MODULUS_WEIGHTS === undefined
        ? undefined
        : readModulusTables(config.UK_MODULUS_WEIGHTS, config.UK_MODULUS_SUBSTITUTIONS),
    cursorKey: deriveKey(config.SECRET_KEY, 'cursors'),
    idempotencyKey: deriveKey(config.SECRET_KEY, 'idempotency'),
    links: createLinks(config.PUBLIC_URL, config.SECRET_KEY),
    metrics: createMetrics(() => db.pools()),
    probes: createProbes(db, ingress),
    async close() {
      mailer.close()
      await Promise.all([db.close(), ingress.close()])
    },
  } satisfies Partial<Deps>
  const changing = { ...deps, ...createChangeDeps(deps) }
  return {
    ...changing,
    changeAppliers: createChangeAppliers(changing),
    checkRamp: (caller, approval) => checkRamp(changing, caller, approval),
  }
}

function createChangeDeps({ clock, vault }: Pick<Deps, 'clock' | 'vault'>) {
  const known = { listAdministrators: listAdministratorsIn, hasPolicies }
  return {
    ...known,
    changeControl: createChangeControl({ clock, vault, ...known }),
  } satisfies Partial<Deps>
}

/** The operation that makes each kind of change once a second person has approved it. */
const createChangeAppliers = (
  deps: Omit<Deps, 'changeAppliers' | 'checkRamp'>,
): ChangeRequestDeps['changeAppliers'] => ({
  'approval-policies.set': policiesApplier(deps),
  'member.add': memberAdditionApplier,
  'member.invite': invitationApplier(deps),
  'member.update': memberUpdateApplier,
  'member.remove': memberRemovalApplier,
  'member.permissions': permissionsApplier,
  'provider-credentials.store': accountApplier(deps),
  'beneficiary.update': beneficiaryApplier(deps),
})

function createPaymentDeps({ db, clock }: Pick<Deps, 'db' | 'clock'>, config: Config, overrides: Overrides) {
  const http = overrides.http ?? createHttpClient(createAgent())
  const vault = createVault(db, deriveKey(config.SECRET_KEY, 'data keys'))
  const webhookKey = deriveKey(config.SECRET_KEY, 'provider webhooks')
  return {
    vault,
    kyb: createKyb(config, http, clock),
    connectors: createConnectorSource({ db, vault, http, clock, publicUrl: config.PUBLIC_URL, webhookKey }),
    corridors: createCorridorSource(db),
    breakers: createBreakers(clock),
    limitUnverified: createTokenBuckets({
      ...unverifiedWebhooks,
      clock,
      message: 'Too many webhooks that no valid signature vouches for. Wait and try again.',
    }),
    approvalPolicies: createApprovalPolicySource(db),
    networkCache: createNetworkCache(),
    rateSource: feedRateSource(http, config.RATE_FEED_URL),
    quoteLifetimeMs: config.QUOTE_LIFETIME_SECONDS * 1000,
    publicUrl: config.PUBLIC_URL,
    returnUrlPolicy: { allowLoopback: config.SWITCHYARD_ENV === 'dev' },
    returnKey: deriveKey(config.SECRET_KEY, 'return pages'),
    pageKey: deriveKey(config.SECRET_KEY, 'payment pages'),
    pageRateLimit: { perSecond: config.PAGE_RATE_LIMIT_PER_SECOND, burst: config.PAGE_RATE_LIMIT_BURST },
    sendDeadlineMs: overrides.sendDeadlineMs ?? defaultSendDeadlineMs,
    pollSchedule: overrides.pollSchedule ?? defaultPollSchedule,
    webhookKey,
    accountNumberKey: deriveKey(config.SECRET_KEY, 'account numbers'),
    funding,
    hasOpenPaymentTo,
    hasOpenWorkAt,
    hasPaidTo,
    listPaymentStatuses,
    payoutRetriesMs: defaultPayoutRetriesMs,
    wallets: { chains: createChains(config.CHAINS), signer: createSigner(config, http) },
    screener: overrides.screener ?? noScreener,
  } satisfies Partial<Deps>
}

/** In production a remote signer keeps the keys in a KMS or an HSM. A seed phrase is for development only. */
function createSigner(config: Config, http: HttpClient): Signer | undefined {
  const { WALLET_SIGNER_URL: url, WALLET_ADDRESS: address, WALLET_DEPOSIT_XPUB: depositXpub } = config
  if (url !== undefined && address !== undefined && depositXpub !== undefined)
    return createRemoteSigner({ url, address, depositXpub }, http)
  return config.WALLET_SEED === undefined ? undefined : createLocalSigner(config.WALLET_SEED)
}

const kybLinkLifetimeSeconds = 24 * 60 * 60

/** Without a token KYB is off, and its endpoints answer with an error that says so. */
function createKyb(config: Config, http: HttpClient, clock: Clock): KybProvider | undefined {
  if (config.SUMSUB_APP_TOKEN === undefined) return undefined
  const options = {
    baseUrl: config.SUMSUB_BASE_URL,
    appToken: config.SUMSUB_APP_TOKEN,
    secretKey: config.SUMSUB_SECRET_KEY,
    webhookSecrets: config.SUMSUB_WEBHOOK_SECRETS,
    levelName: config.SUMSUB_LEVEL,
    companyInfoIn: config.SUMSUB_COMPANY_INFO_IN,
    linkLifetimeSeconds: kybLinkLifetimeSeconds,
  }
  return createSumsub(options, http, clock)
}

/** The ledger entries that follow when a payout funded by a virtual account changes its status. */
const funding: Funding = (previous, payment) => [
  ...fundPayment(previous, payment),
  ...updateShare(previous, payment),
]

function createWebhookDeps(db: Database, config: Config) {
  const egressPolicy = { allowLoopback: config.SWITCHYARD_ENV === 'dev', allowedPorts: config.WEBHOOK_PORTS }
  return {
    egressPolicy,
    egressAgent: createEgressAgent(egressPolicy, { proxyUrl: config.WEBHOOK_EGRESS_PROXY }),
    postLimits: defaultPostLimits,
    bulkheads: createBulkheads(),
    localBacklog: createLocalBacklog(),
    joinAttempts: singleFlight<number | null>(),
    deliveryRecords: createDeliveryRecords(db, Math.ceil(config.DATABASE_POOL_SIZE / 4)),
    deliveryScheduleMs,
    chance: Math.random,
  } satisfies Partial<Deps>
}

function createIdentityDeps(deps: Pick<Deps, 'db' | 'clock' | 'apiKeyPepper'>, config: Config) {
  const verifyToken = createTokenVerifier({
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    jwksUrl: config.JWT_JWKS_URL,
    orgClaim: config.JWT_ORG_CLAIM,
    algorithms: config.JWT_ALGORITHMS,
  })
  return {
    verifyToken,
    authenticators: {
      apiKey: (key, origin) => authenticateApiKey(deps, key, origin),
      token: (token, origin) => authenticateToken({ db: deps.db, verifyToken }, token, origin),
    },
  } satisfies Partial<Deps>
}

const createProbes = (db: Database, ingress: Pool): Probes => ({
  postgres: () => db.ping(),
  engine: async () => {
    const response = await ingress.request({ method: 'GET', path: '/restate/health' })
    await response.body.dump()
    if (response.statusCode !== 200) throw new Error('the engine is not healthy')
  },
})
