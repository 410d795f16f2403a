import type { Connector } from '../../connectors/kit/connector.ts'
import type { HttpClient } from '../../connectors/kit/http-client.ts'
import { createAccountClients } from '../../connectors/kit/limit-calls.ts'
import { findConnector } from '../../connectors/registry.ts'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { createCache, type Cache } from '../../lib/bounded-cache.ts'
import type { Clock } from '../../lib/clock.ts'
import { openCredentials } from './open-credentials.ts'
import { webhookUrlOf } from './rules.ts'

/** Connectors with the organisation's own credentials, else the installation's. */
export interface ConnectorSource {
  load(orgId: string, provider: string): Promise<Connector | undefined>
  forget(): void
}

const cacheLimit = 20_000
const cacheTtlMs = 10_000

interface SourceDeps {
  db: Database
  vault: Vault
  http: HttpClient
  clock: Clock
  publicUrl: string
  webhookKey: Buffer
}

export function createConnectorSource(deps: SourceDeps): ConnectorSource {
  const clientOf = createAccountClients(deps.http)
  const cache: Cache<Connector | undefined> = createCache({ limit: cacheLimit, ttlMs: cacheTtlMs })
  return {
    load: (orgId, provider) =>
      cache.get(`${orgId} ${provider}`, () => createConnector({ ...deps, clientOf }, orgId, provider)),
    forget: () => cache.clear(),
  }
}

async function createConnector(
  deps: SourceDeps & { clientOf: ReturnType<typeof createAccountClients> },
  orgId: string,
  provider: string,
): Promise<Connector | undefined> {
  const definition = findConnector(provider)
  if (!definition) return undefined
  const stored = await openCredentials(deps, orgId, provider)
  // Internal rails such as manual need none: their schema accepts an empty object.
  const credentials = definition.credentials.safeParse(stored?.credentials ?? {})
  if (!credentials.success) return undefined
  const ownerId = stored?.orgId ?? orgId
  return definition.create({
    credentials: credentials.data,
    http: deps.clientOf(`${ownerId} ${provider}`),
    clock: deps.clock,
    webhookUrl: webhookUrlOf(deps, ownerId, provider),
  })
}
