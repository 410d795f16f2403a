import { join } from 'node:path'
import { startDevChain, type DevChain } from '@switchyard/stack/chain/start-chain.ts'
import type { DevPorts } from './dev-ports.ts'
import type { DevSecrets } from './dev-secrets.ts'
import { startIdentity, type AccountDirectory, type Identity } from '@switchyard/stack/services/identity.ts'
import { startMailCatcher, type MailCatcher } from '@switchyard/stack/services/mail-catcher.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'

export type DevServices = {
  postgres: Postgres
  restate: Restate
  identity: Identity
  mail: MailCatcher
  /** Absent where no chain can be started on this platform. */
  chain: DevChain | undefined
}

type ServicesOptions = { dataDir: string; ports: DevPorts; secrets: DevSecrets; accounts: AccountDirectory }

type Stoppable = { stop(): Promise<void> }

/** Starts all of them at once. When one fails the others are stopped, and its error is thrown. */
export async function startServices({
  dataDir,
  ports,
  secrets,
  accounts,
}: ServicesOptions): Promise<DevServices> {
  const started: Stoppable[] = []
  const keep = <Service extends Stoppable>(service: Service): Service => {
    started.push(service)
    return service
  }
  const starting = [
    startPostgres({
      dataDir: join(dataDir, 'postgres'),
      port: ports.postgres,
      password: secrets.ownerPassword,
    }).then(keep),
    startRestate({
      dataDir: join(dataDir, 'restate'),
      ingressPort: ports.restateIngress,
      adminPort: ports.restateAdmin,
      nodePort: ports.restateNode,
    }).then(keep),
    startIdentity({ port: ports.identity, dataDir: join(dataDir, 'identity'), accounts }).then(keep),
    startMailCatcher({ port: ports.smtp, webPort: ports.mailWeb }).then(keep),
    startDevChain({ dataDir: join(dataDir, 'chain'), port: ports.chain }).then(
      (chain) => chain && keep(chain),
    ),
  ] as const
  await Promise.allSettled(starting)
  try {
    const [postgres, restate, identity, mail, chain] = await Promise.all(starting)
    return { postgres, restate, identity, mail, chain }
  } catch (error) {
    await Promise.allSettled(started.map((service) => service.stop()))
    throw error
  }
}

export async function stopServices({ postgres, restate, identity, mail, chain }: DevServices): Promise<void> {
  const services = [postgres, restate, identity, mail, ...(chain ? [chain] : [])]
  await Promise.allSettled(services.map((service) => service.stop()))
}
