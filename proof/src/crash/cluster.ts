import { join } from 'node:path'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { identityKeyOf } from '@switchyard/stack/services/restate-identity-key.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'

export type EngineNode = Restate & { readonly ingressPort: number; readonly adminPort: number }

const nodeCount = 3

/** Three nodes that keep two copies of everything, so that any one of them may be gone. */
export async function startCluster(directory: string): Promise<EngineNode[]> {
  const ports = await Promise.all(
    Array.from({ length: nodeCount }, async () => ({
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    })),
  )
  const identityKeyFile = join(directory, 'identity-key.pem')
  await identityKeyOf(identityKeyFile)
  const addresses = ports.map(({ nodePort }) => `http://${loopback}:${nodePort}`)
  const nodes = ports.map(async (own, index) => {
    const node = await startRestate({
      ...own,
      dataDir: join(directory, `engine-${index}`),
      identityKeyFile,
      settings: {
        RESTATE_CLUSTER_NAME: 'switchyard-crash',
        RESTATE_NODE_NAME: `engine-${index}`,
        RESTATE_AUTO_PROVISION: String(index === 0),
        RESTATE_DEFAULT_REPLICATION: '2',
        RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(addresses),
      },
    })
    // Not a copy: pid and the like are read from the process of the moment.
    return Object.assign(node, own)
  })
  return Promise.all(nodes)
}
