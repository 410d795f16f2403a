import { join } from 'node:path'
import { startChain, type LocalChain } from '../chain/start-chain.ts'
import { createCleanup, startTogether } from '../services/cleanup.ts'
import type { AccountDirectory } from '../services/identity-accounts.ts'
import { startIdentity, type Identity } from '../services/identity.ts'
import { startMailCatcher, type MailCatcher } from '../services/mail-catcher.ts'
import { startPostgres, type Postgres } from '../services/postgres.ts'
import { startRestate, type Restate } from '../services/restate.ts'
import type { DevPorts } from './ports.ts'
import type { DevSecrets } from './secrets.ts'

export type DevServices = {
  postgres: Postgres
  restate: Restate
  identity: Identity
  mail: MailCatcher
  /** Undefined on a platform for which there is no chain binary. */
  chain: LocalChain | undefined
}

type ServicesOptions = { dataDir: string; ports: DevPorts; secrets: DevSecrets; accounts: AccountDirectory }

/** Starts all services at once. When one fails, the others are stopped and its error is thrown. */
export async function startServices(options: ServicesOptions): Promise<DevServices> {
  const { dataDir, ports, secrets, accounts } = options
  const cleanup = createCleanup()
  try {
    const [postgres, restate, identity, mail, chain] = await startTogether([
      startPostgres({
        dataDir: join(dataDir, 'postgres'),
        port: ports.postgres,
        password: secrets.ownerPassword,
      }).then(cleanup.add),
      startRestate({
        dataDir: join(dataDir, 'restate'),
        ingressPort: ports.restateIngress,
        adminPort: ports.restateAdmin,
        nodePort: ports.restateNode,
      }).then(cleanup.add),
      startIdentity({ port: ports.identity, dataDir: join(dataDir, 'identity'), accounts }).then(cleanup.add),
      startMailCatcher({ port: ports.smtp, webPort: ports.mailWeb }).then(cleanup.add),
      startChain({ dataDir: join(dataDir, 'chain'), port: ports.chain }).then(
        (chain) => chain && cleanup.add(chain),
      ),
    ])
    return { postgres, restate, identity, mail, chain }
  } catch (error) {
    await cleanup.stop().catch(() => undefined)
    throw error
  }
}

export async function stopServices({ postgres, restate, identity, mail, chain }: DevServices): Promise<void> {
  const services = [postgres, restate, identity, mail, ...(chain ? [chain] : [])]
  await Promise.allSettled(services.map((service) => service.stop()))
}
