import { request } from 'undici'
import { startMailbox, type Mailbox } from '@switchyard/stack/services/mailbox.ts'
import { startMailCatcher, type MailCatcher } from '@switchyard/stack/services/mail-catcher.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { firstAttempts } from '../../src/domains/events/webhooks/deliveries/workflow.ts'
import { registerWorker } from '../../src/kernel/engine/registration.ts'
import { startRelay, type Relay, type RelayOptions } from '../../src/kernel/engine/relay.ts'
import type { EngineScope, EngineService } from '../../src/kernel/engine/service.ts'
import { startWorker } from '../../src/kernel/engine/worker.ts'
import { engineScope, engineServices } from '../../src/main/services.ts'
import type { Json, TestApp } from './test-app.ts'

export interface TestWorker {
  port: number
  stop(): Promise<void>
}

interface TestWorkerOptions {
  /** Replaces the worker's services. */
  services?: EngineService[]
  /** The port of an earlier worker, as after a restart. */
  port?: number
  relay?: Partial<RelayOptions>
}

/** For services that a test defines itself. */
export const engineOf = ({ config, deps }: Pick<TestApp, 'config' | 'deps'>): EngineScope =>
  engineScope(config.ENGINE_NAMESPACE, deps)

/** A worker with its relay in this process, under the app's own namespace, so that one engine serves all files. */
export async function startTestWorker(app: TestApp, options: TestWorkerOptions = {}): Promise<TestWorker> {
  const { config, deps } = app
  const services = options.services ?? engineServices(config.ENGINE_NAMESPACE, deps)
  const worker = await startWorker({
    services,
    identityKeys: config.ENGINE_IDENTITY_KEYS,
    host: '127.0.0.1',
    port: options.port ?? 0,
    log: deps.log,
    tracer: deps.tracer,
  })
  const deploymentId = await registerWorker({
    adminUrl: adminUrl(app),
    workerUrl: `http://127.0.0.1:${worker.port}`,
    serviceName: services[0]!.name,
    replace: true,
    log: deps.log,
  })
  const relay = startTestRelay(app, { local: firstAttempts(deps), ...options.relay })
  return {
    port: worker.port,
    async stop() {
      await relay.stop()
      await worker.stop()
      // All files share the engine, and a later file may get this port: the engine must not call it for our services.
      if (options.port === undefined) await forgetDeployment(app, deploymentId)
    },
  }
}

export const startTestRelay = (app: TestApp, changes: Partial<RelayOptions> = {}): Relay =>
  startRelay({
    db: app.deps.db,
    listenUrl: app.config.DATABASE_SYSTEM_URL,
    ingress: app.deps.ingress,
    namespace: app.config.ENGINE_NAMESPACE,
    log: app.deps.log,
    ...changes,
  })

/** Accepts every mail and keeps its content. */
export const startTestMail = async (): Promise<MailCatcher> =>
  startMailCatcher({ port: await freePort(), webPort: await freePort() })

/** Counts mails, and delays or refuses them on request. */
export const startTestMailbox = async (): Promise<Mailbox> => startMailbox(await freePort())

/** Queries the engine's storage with its own SQL. */
export async function queryEngine(app: TestApp, query: string): Promise<Json[]> {
  const response = await request(new URL('/query', adminUrl(app)), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  const text = await response.body.text()
  if (response.statusCode !== 200) throw new Error(`the engine answered ${response.statusCode}: ${text}`)
  return JSON.parse(text).rows
}

async function forgetDeployment(app: TestApp, deploymentId: string): Promise<void> {
  const response = await request(new URL(`/deployments/${deploymentId}?force=true`, adminUrl(app)), {
    method: 'DELETE',
  })
  await response.body.dump()
}

function adminUrl({ config }: TestApp): string {
  if (config.ENGINE_ADMIN_URL === undefined) throw new Error('tests of the engine need its admin address')
  return config.ENGINE_ADMIN_URL
}
