import type { Env } from '../programs.ts'
import type { Cleanup } from '../services/cleanup.ts'
import { startForwarder, type Forwarder } from '../services/forwarder.ts'
import { freePort, loopback } from '../services/ports.ts'
import { serviceEnv } from './env.ts'
import type { Services } from './services.ts'

export type ProgramKind = 'api' | 'worker'

export type Forwarders = {
  readonly api: Forwarder
  readonly worker: Forwarder
  readonly engine: Forwarder
  readonly engineAdmin: Forwarder
}

export type Addresses = {
  /** The URLs by which clients, providers, the engine and the programs reach each other. */
  readonly env: Env
  readonly forwarders: Forwarders | undefined
  /** Where those URLs point when there are no forwarders. */
  readonly fixedPorts: Readonly<Record<ProgramKind, number>> | undefined
}

/** With forwarders, any number of apis and workers share one URL, and connections can be cut. */
export async function openAddresses(
  services: Services,
  isForwarded: boolean,
  cleanup: Cleanup,
): Promise<Addresses> {
  return isForwarded ? forwardedAddresses(services, cleanup) : directAddresses(services)
}

async function forwardedAddresses(services: Services, cleanup: Cleanup): Promise<Addresses> {
  const nodes = services.engineNodes
  const open = async (targets: readonly number[]): Promise<Forwarder> =>
    cleanup.add(await startForwarder(await freePort(), targets))
  const forwarders = {
    api: await open([]),
    worker: await open([]),
    engine: await open(nodes.map(({ ingressPort }) => ingressPort)),
    engineAdmin: await open(nodes.map(({ adminPort }) => adminPort)),
  }
  const engine = { ingressUrl: forwarders.engine.url, adminUrl: forwarders.engineAdmin.url }
  return {
    env: {
      ...envOf(services, engine),
      PUBLIC_URL: forwarders.api.url,
      ENGINE_WORKER_URL: forwarders.worker.url,
    },
    forwarders,
    fixedPorts: undefined,
  }
}

async function directAddresses(services: Services): Promise<Addresses> {
  const fixedPorts = { api: await freePort(), worker: await freePort() }
  return {
    env: {
      ...envOf(services, services.engineNodes[0]),
      PUBLIC_URL: `http://${loopback}:${fixedPorts.api}`,
      ENGINE_WORKER_URL: `http://${loopback}:${fixedPorts.worker}`,
    },
    forwarders: undefined,
    fixedPorts,
  }
}

function envOf(services: Services, urls: { ingressUrl: string; adminUrl: string } | undefined): Env {
  const [node] = services.engineNodes
  const { ingressUrl, adminUrl } = urls ?? {}
  const isRunning = node !== undefined && ingressUrl !== undefined && adminUrl !== undefined
  return serviceEnv({
    engine: isRunning ? { ingressUrl, adminUrl, identityKey: node.identityKey } : undefined,
    identity: services.identity,
    mail: services.mailbox,
    simulatorUrl: services.simulator?.url,
  })
}
