import { probeKeys, type KeyProbe } from '../../../connectors/kit/check/probe-keys.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { HttpClient } from '../../../connectors/kit/http-client.ts'
import { createAccountClients } from '../../../connectors/kit/limit-calls.ts'
import { measureCalls, type Observe } from '../../../connectors/kit/measure-calls.ts'
import { findConnector } from '../../../connectors/registry.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { installationOrgId, type Vault } from '../../../kernel/db/vault.ts'
import { createCache, type Cache } from '../../../lib/flow/bounded-cache.ts'
import type { Clock } from '../../../lib/clock.ts'
import { inSpan } from '../../../lib/flow/correlation.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Meter } from '../../../lib/flow/meter.ts'
import { openCredentials } from './open-credentials.ts'
import { webhookUrlOf } from './rules.ts'
import { findAccountAcrossOrgs } from './store.ts'

export interface LoadedConnector extends Connector {
  /** When the keys of the account were replaced; see notFoundWindow. */
  keysChangedAt?: Date | null
}

/** Connectors by the account that they speak for. Nothing that was sent is ever asked about at another account. */
export interface ConnectorSource {
  /** Undefined for an account of another organisation, and for one whose keys are missing or no longer valid. */
  load(orgId: string, accountId: string): Promise<LoadedConnector | undefined>
  /** The provider's own id of the account that keys belong to; undefined if the provider does not report it. */
  identify(provider: string, credentials: unknown): Promise<string | undefined>
  /** Asks the provider about the stored keys of an account, past the cache; undefined if there is no such account. */
  probe(accountId: string): Promise<KeyProbe | undefined>
  invalidate(): void
}

interface SourceDeps {
  db: Database
  vault: Vault
  http: HttpClient
  clock: Clock
  publicUrl: string
  webhookKey: KeyRing
  meter: Meter
}

interface CachedConnector {
  ownerId: string
  connector: LoadedConnector | undefined
}

const cacheLimit = 20_000
const cacheTtlMs = 10_000

export function createConnectorSource(deps: SourceDeps): ConnectorSource {
  const clientOf = createAccountClients(deps.http)
  const cache: Cache<CachedConnector | undefined> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    async load(orgId, accountId) {
      const loaded = await cache.get(accountId, () =>
        createConnector({ ...deps, http: clientOf(accountId) }, accountId),
      )
      const isVisible = loaded?.ownerId === orgId || loaded?.ownerId === installationOrgId
      return isVisible ? loaded.connector : undefined
    },
    async identify(provider, credentials) {
      const definition = findConnector(provider)
      const parsed = definition?.credentials.safeParse(credentials)
      if (!definition || !parsed?.success) return undefined
      const { http, clock } = deps
      const connector = definition.create({
        credentials: parsed.data,
        http,
        clock,
        webhookUrl: deps.publicUrl,
      })
      return connector.identify?.()
    },
    probe: (accountId) => probeAccount({ ...deps, http: clientOf(accountId) }, accountId),
    invalidate: () => cache.clear(),
  }
}

async function probeAccount(deps: SourceDeps, accountId: string): Promise<KeyProbe | undefined> {
  const account = await deps.db.acrossOrgs((tx) => findAccountAcrossOrgs(tx, accountId))
  const definition = account && findConnector(account.provider)
  if (!definition) return undefined
  const credentials = await openCredentials(deps, account)
  return probeKeys({ ...deps, definition, credentials, webhookUrl: webhookUrlOf(deps, account) })
}

async function createConnector(deps: SourceDeps, accountId: string): Promise<CachedConnector | undefined> {
  const account = await deps.db.acrossOrgs((tx) => findAccountAcrossOrgs(tx, accountId))
  const definition = account && findConnector(account.provider)
  if (!definition) return undefined
  const credentials = definition.credentials.safeParse(await openCredentials(deps, account))
  if (!credentials.success) return { ownerId: account.orgId, connector: undefined }
  const { http, clock } = deps
  const webhookUrl = webhookUrlOf(deps, account)
  const connector = measureCalls(
    definition.create({ credentials: credentials.data, http, clock, webhookUrl }),
    observeCalls(deps.meter, account.provider),
  )
  return { ownerId: account.orgId, connector: { ...connector, keysChangedAt: account.keysChangedAt } }
}

const observeCalls =
  (meter: Meter, provider: string): Observe =>
  async (operation, call) => {
    const startedAt = performance.now()
    try {
      return await inSpan(
        `provider ${operation}`,
        { 'switchyard.provider': provider, 'switchyard.operation': operation },
        call,
      )
    } finally {
      meter.providerCall(provider, operation, (performance.now() - startedAt) / 1000)
    }
  }
