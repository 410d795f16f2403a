import { join } from 'node:path'
import { freePort, loopback } from './ports.ts'
import { identityKeyOf } from './restate-identity-key.ts'
import { startRestate, type Restate } from './restate.ts'

export type EngineNode = Restate & {
  readonly dataDir: string
  readonly ingressPort: number
  readonly adminPort: number
}

/** Starts `size` nodes in `directory/engine-N`. Three or more keep two copies of everything, so one may be lost. */
export async function startRestateCluster(directory: string, size: number): Promise<EngineNode[]> {
  const ports = await Promise.all(
    Array.from({ length: size }, async () => ({
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    })),
  )
  // Created once, before the nodes would each create their own. It survives the deletion of a node's data.
  const identityKeyFile = join(directory, 'identity-key.pem')
  await identityKeyOf(identityKeyFile)
  const addresses = ports.map(({ nodePort }) => `http://${loopback}:${nodePort}`)
  const nodes = ports.map(async (own, index) => {
    const dataDir = join(directory, `engine-${index}`)
    const node = await startRestate({
      ...own,
      dataDir,
      identityKeyFile,
      settings: size === 1 ? {} : clusterSettings(index, addresses),
    })
    // A copy would freeze the getters, such as the pid of the current process.
    return Object.assign(node, { ...own, dataDir })
  })
  return Promise.all(nodes)
}

const clusterSettings = (index: number, addresses: readonly string[]): Record<string, string> => ({
  RESTATE_CLUSTER_NAME: 'switchyard-cluster',
  RESTATE_NODE_NAME: `engine-${index}`,
  RESTATE_AUTO_PROVISION: String(index === 0),
  RESTATE_DEFAULT_REPLICATION: '2',
  RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(addresses),
})
