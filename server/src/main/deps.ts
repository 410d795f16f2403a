import type { Tracer } from '@opentelemetry/api'
import { Pool } from 'undici'
import { createAgent, createHttpClient, type HttpClient } from '../connectors/kit/http-client.ts'
import type { KybProvider } from '../connectors/kit/kyb-provider.ts'
import { createClockWatch, type ClockWatch } from '../kernel/db/watch-clock.ts'
import { createVault } from '../kernel/db/vault.ts'
import type { KeyUsage } from '../domains/people/api-keys/record.ts'
import type { KeyMode } from '../domains/people/api-keys/rules.ts'
import { createKeyUsage } from '../domains/people/api-keys/track-usage.ts'
import {
  createApprovalPolicySource,
  type ApprovalPolicySource,
} from '../domains/pricing/approval-policies/check-approval.ts'
import { readModulusTables, type ModulusTables } from '../domains/parties/bank-validation/check-modulus.ts'
import { createBankCache } from '../domains/providers/banks/list-banks.ts'
import type { BankDeps } from '../domains/providers/banks/record.ts'
import type { PageDeps } from '../domains/products/checkout/record.ts'
import type { ChangeControl, ChangeRequestDeps } from '../domains/people/change-requests/record.ts'
import { defaultPayoutRetriesMs } from '../domains/products/escrow/disbursements/rules.ts'
import { updateShare } from '../domains/products/escrow/disbursements/update-share.ts'
import { createFeeScheduleSource } from '../domains/pricing/fees/price-payment.ts'
import type { FeeScheduleSource } from '../domains/pricing/fees/record.ts'
import { createMailLimit, type LimitMails } from '../domains/people/notifications/limit-mails.ts'
import { createNetworkCache, type NetworkDeps } from '../domains/providers/networks/list-networks.ts'
import { hasOpenPaymentTo, hasPaidTo, listPaymentStatuses } from '../domains/payments/reads/reads.ts'
import { findMemberIn, listNamesIn } from '../domains/people/organizations/members/reads.ts'
import type { CardPolicy } from '../domains/people/organizations/record.ts'
import { defaultSendDeadlineMs } from '../domains/payments/attempts/prepare-attempt.ts'
import { defaultPollSchedule, type PollSchedule } from '../domains/payments/attempts/rules.ts'
import type { Funding, PaymentDeps } from '../domains/payments/record.ts'
import { createPersonalReads } from '../domains/records/audit-log/record-reads.ts'
import { createRequestLog } from '../domains/office/request-log/record-requests.ts'
import type { PlatformDeps } from '../domains/office/platform/record.ts'
import { createConnectorSource } from '../domains/providers/accounts/load-connector.ts'
import { createBreakers } from '../domains/providers/configs/track-route-health.ts'
import { advanceRamp } from '../domains/products/ramps/advance-ramp.ts'
import { createLegResolver } from '../domains/products/ramps/resolve-leg.ts'
import type { InquiryDeps } from '../domains/payments/supervision/inquire-payment.ts'
import type { ResolutionDeps } from '../domains/payments/resolutions/record.ts'
import type { ReviewDeps } from '../domains/payments/reviews/review-payment.ts'
import { receiveDispute } from '../domains/after/provider-webhooks/receive-dispute.ts'
import { checkRamp } from '../domains/products/ramps/check-ramp.ts'
import type { Screener } from '../domains/products/ramps/screening/record.ts'
import { feedRateSource, type RateSource } from '../domains/pricing/rates/refresh-rates.ts'
import { fundPayment } from '../domains/products/virtual-accounts/transactions/fund-payment.ts'
import type { DeliveryDeps } from '../domains/events/webhooks/deliveries/record.ts'
import type { IdentityProvider } from '../domains/office/sessions/record.ts'
import { createMetrics } from '../http/metrics.ts'
import type { ServerDeps } from '../http/server.ts'
import { createTokenBuckets } from '../http/limits/token-buckets.ts'
import { systemClock, type Clock } from '../lib/clock.ts'
import type { Keys } from '../kernel/keys/record.ts'
import type { SecretRing } from '../lib/crypto/secrets.ts'
import { createLinks, type Links } from '../lib/net/links.ts'
import { createLog, type Log } from '../lib/log.ts'
import { createMailer, type Mailer } from '../lib/net/mailer.ts'
import { createMeter } from '../lib/flow/meter.ts'
import type { ReturnUrlPolicy } from '../lib/net/return-target.ts'
import type { TokenVerifier } from '../lib/crypto/token.ts'
import { createChains } from '../domains/products/ramps/wallet/list-chains.ts'
import type { Wallets } from '../domains/products/ramps/wallet/record.ts'
import { createChangeAppliers, createChangeDeps } from './change-deps.ts'
import type { Config } from './config.ts'
import type { RequiredClaims } from '../lib/crypto/required-claims.ts'
import { connectDatabases, type DatabaseOverrides } from './database-deps.ts'
import { createIdentityDeps } from './identity-deps.ts'
import { createKeys, createPersonKeys, deriveKeys, type DerivedKeys } from './key-deps.ts'
import { createProbes } from './probes.ts'
import { createLimitDeps, type LimitSettings } from './limit-deps.ts'
import { createRetentionDeps, type RetentionSettings } from './retention-deps.ts'
import { createRouteSources, type RouteSources } from './routing-deps.ts'
import type { SanctionsIndex } from '../domains/compliance/sanctions/track-index.ts'
import { createSanctionsDeps, type SanctionsDeps } from './sanctions-deps.ts'
import { createWebhookDeps } from './webhook-deps.ts'
import { createKyb, createScreener, createSigner } from './outside-services.ts'

/** Everything that routes, operations and workflows depend on, created once per process. */
export interface Deps
  extends
    ServerDeps,
    PaymentDeps,
    RouteSources,
    LimitSettings,
    SanctionsDeps,
    DeliveryDeps,
    PageDeps,
    DerivedKeys,
    ChangeRequestDeps {
  mailer: Mailer
  clockWatch: ClockWatch
  sanctions: SanctionsIndex
  links: Links
  ingress: Pool
  engineAdmin: PlatformDeps['engineAdmin']
  verifyToken: TokenVerifier
  identityProvider: IdentityProvider | undefined
  requiredClaims: RequiredClaims
  apiKeyMode: KeyMode
  /** What API keys are hashed with. */
  peppers: SecretRing
  keys: Keys
  keyUsage: KeyUsage
  limitKeyChecks: (accountId: string) => void
  listNamesIn: typeof listNamesIn
  limitUnverified: (account: string) => void
  limitMails: LimitMails

  approvalPolicies: ApprovalPolicySource
  feeSchedules: FeeScheduleSource
  changeControl: ChangeControl
  checkRamp: ReviewDeps['checkRamp']
  legResolver: ResolutionDeps['legResolver']
  inquireRamp: InquiryDeps['inquireRamp']
  limitInquiries: InquiryDeps['limitInquiries']
  receiveDispute: InquiryDeps['receiveDispute']
  findMemberIn: typeof findMemberIn
  hasPaidTo: typeof hasPaidTo
  /** Payments depends on beneficiaries and payment links, so these two get their view of payments from here. */
  hasOpenPaymentTo: typeof hasOpenPaymentTo
  listPaymentStatuses: typeof listPaymentStatuses
  /** Provider accounts are used by payments and ramps, so they get their view of open work from here. */
  networkCache: NetworkDeps['networkCache']
  bankCache: BankDeps['bankCache']
  rateSource: RateSource
  returnUrlPolicy: ReturnUrlPolicy
  payoutRetriesMs: readonly number[]
  cards: CardPolicy
  retention: RetentionSettings['retention']

  kyb: KybProvider | undefined
  screener: Screener
  wallets: Wallets
  modulusTables: ModulusTables | undefined

  close(): Promise<void>
}

/** Replacements for tests and for the programs in proof/. */
interface Overrides extends DatabaseOverrides {
  clock?: Clock
  log?: Log
  /** The client with which connectors call their providers. */
  http?: HttpClient
  sendDeadlineMs?: number
  pollSchedule?: PollSchedule
  screener?: Screener
  tracer?: Tracer | undefined
}

const ingressConnections = 32
/** Webhooks of one provider account that are forged, or unproven and about nothing here; others are not limited. */
const unverifiedWebhooks = { perSecond: 1, burst: 30 }

/** How often the keys of one provider account may be checked. */
const keyChecks = { perSecond: 1 / 10, burst: 3 }

/** How often members may ask the provider about one payment. */
const memberInquiries = { perSecond: 1 / 15, burst: 1 }

export async function createDeps(config: Config, overrides: Overrides = {}): Promise<Deps> {
  const log = overrides.log ?? createLog(config.LOG_LEVEL)
  const clock = overrides.clock ?? systemClock
  const { db, pageDb } = connectDatabases(config, overrides)
  const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM)
  const ingress = new Pool(new URL(config.ENGINE_INGRESS_URL).origin, { connections: ingressConnections })
  const apiKeyMode: KeyMode = config.SWITCHYARD_ENV === 'production' ? 'live' : 'test'
  const keys = await createKeys(config, { db, log })
  const personKeys = createPersonKeys(config)
  const base = {
    db,
    clock,
    log,
    mailer,
    ingress,
    apiKeyMode,
    keys,
    ...deriveKeys(keys),
    peppers: keys.peppers,
    keyUsage: createKeyUsage({ db, clock, log }),
  }
  const metrics = createMetrics(() => {
    const { app: page_app, system: page_system } = pageDb.pools()
    return { ...db.pools(), page_app, page_system }
  })
  const requestLog = createRequestLog({ db, log, registry: metrics.registry })
  const personalReads = createPersonalReads({ db, log, registry: metrics.registry })
  const meter = createMeter(metrics.registry)
  const clockWatch = createClockWatch(
    { db, clock, log, registry: metrics.registry },
    config.MAX_CLOCK_SKEW_SECONDS * 1000,
  )
  const paymentDeps = createPaymentDeps({ ...base, meter }, config, overrides)
  const deps = {
    ...base,
    meter,
    tracer: overrides.tracer,
    ...createIdentityDeps(base, config),
    ...paymentDeps,
    ...createWebhookDeps(db, config),
    pageDb,
    pageVault: createVault(pageDb, keys.service, personKeys),
    modulusTables:
      config.UK_MODULUS_WEIGHTS === undefined
        ? undefined
        : readModulusTables(config.UK_MODULUS_WEIGHTS, config.UK_MODULUS_SUBSTITUTIONS),
    links: createLinks(config.PUBLIC_URL, keys.tokens),
    metrics,
    requestLog,
    personalReads,
    engineAdmin: { adminUrl: config.ENGINE_ADMIN_URL, namespace: config.ENGINE_NAMESPACE },
    clockWatch,
    probes: createProbes({ db, ingress, sanctions: paymentDeps.sanctions, clockWatch }),
    async close() {
      mailer.close()
      await Promise.all([keys.close(), base.keyUsage.close(), requestLog.close(), personalReads.close()])
      await Promise.all([db.close(), pageDb.close(), ingress.close()])
    },
  } satisfies Partial<Deps>
  const changing = { ...deps, ...createChangeDeps(deps, config), legResolver: createLegResolver(deps) }
  return {
    ...changing,
    changeAppliers: createChangeAppliers(changing),
    inquireRamp: (ids) => advanceRamp(changing, { ...ids, isScheduled: false }),
    checkRamp: (caller, approval) => checkRamp(changing, caller, approval),
    receiveDispute: (asked) => receiveDispute(changing, asked),
  }
}

function createPaymentDeps(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'meter' | 'keys' | 'webhookKey' | 'mailKey'>,
  config: Config,
  overrides: Overrides,
) {
  const { db, clock, log, meter, keys } = deps
  const http = overrides.http ?? createHttpClient(createAgent())
  const vault = createVault(db, keys.service, createPersonKeys(config))
  return {
    vault,
    kyb: createKyb(config, http, clock),
    ...createSanctionsDeps({ db, vault, clock, log }, config),
    connectors: createConnectorSource({
      db,
      vault,
      http,
      clock,
      meter,
      publicUrl: config.PUBLIC_URL,
      webhookKey: deps.webhookKey,
    }),
    ...createRouteSources({ db, clock, log }, config),
    breakers: createBreakers(clock),
    limitUnverified: createTokenBuckets({
      ...unverifiedWebhooks,
      clock,
      message: 'Too many webhooks that no valid signature vouches for. Wait and try again.',
    }),
    limitInquiries: createTokenBuckets({
      ...memberInquiries,
      clock,
      message: 'The provider was asked about this payment a moment ago. Wait and ask again.',
    }),
    limitMails: createMailLimit({ key: deps.mailKey, clock }),
    limitKeyChecks: createTokenBuckets({
      ...keyChecks,
      clock,
      message: 'The keys of this account were checked a moment ago. Wait and try again.',
    }),
    findMemberIn,
    listNamesIn,
    approvalPolicies: createApprovalPolicySource(db),
    feeSchedules: createFeeScheduleSource(db),
    networkCache: createNetworkCache(),
    bankCache: createBankCache(),
    rateSource: feedRateSource(http, config.RATE_FEED_URL),
    publicUrl: config.PUBLIC_URL,
    returnUrlPolicy: { allowLoopback: config.SWITCHYARD_ENV === 'dev' },
    ...createLimitDeps(config, clock),
    sendDeadlineMs: overrides.sendDeadlineMs ?? defaultSendDeadlineMs,
    pollSchedule: overrides.pollSchedule ?? defaultPollSchedule,
    funding,
    hasOpenPaymentTo,
    hasPaidTo,
    listPaymentStatuses,
    payoutRetriesMs: defaultPayoutRetriesMs,
    cards: config.CARDS,
    ...createRetentionDeps(config),
    wallets: { chains: createChains(config.CHAINS), signer: createSigner(config, http) },
    screener: overrides.screener ?? createScreener(config, http),
  } satisfies Partial<Deps>
}

/** The ledger entries that follow when a payout funded by a virtual account changes its status. */
const funding: Funding = (previous, payment) => [
  ...fundPayment(previous, payment),
  ...updateShare(previous, payment),
]
