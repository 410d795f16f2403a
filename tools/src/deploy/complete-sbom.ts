import { readFileSync } from 'node:fs'

interface Bom {
  serialNumber?: string
  metadata: { timestamp?: string; component?: object }
  components: object[]
}

/** Adds the packages of base.lock to npm's SBOM, and takes out what differs between two builds. */
export function completeSbom(bom: Bom, lock: string, build: { version: string; madeAt: Date }): Bom {
  const { serialNumber: _random, metadata, components, ...rest } = bom
  return {
    ...rest,
    metadata: {
      ...metadata,
      timestamp: build.madeAt.toISOString(),
      component: { ...metadata.component, name: 'switchyard', version: build.version },
    },
    components: [...components, ...lockedPackages(lock).map(toComponent)],
  }
}

interface LockedPackage {
  name: string
  version: string
  sha256: string
}

export const lockedPackages = (lock: string): LockedPackage[] =>
  lock
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', version = '', sha256 = ''] = line.split(' ')
      return { name, version, sha256 }
    })

function toComponent({ name, version, sha256 }: LockedPackage): object {
  const isNode = name === 'node'
  const purl = isNode ? `pkg:generic/node@${version}` : `pkg:deb/debian/${name}@${version}?distro=bookworm`
  const type = isNode ? 'application' : 'library'
  return { 'bom-ref': purl, type, name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] }
}

/** `complete-sbom.ts NPM_SBOM BASE_LOCK VERSION SECONDS` prints the SBOM of the image. */
if (import.meta.main) {
  const [bomFile = '', lockFile = '', version = '', seconds = ''] = process.argv.slice(2)
  const madeAt = new Date(Number(seconds) * 1_000)
  const completed = completeSbom(JSON.parse(readFileSync(bomFile, 'utf8')), readFileSync(lockFile, 'utf8'), {
    version,
    madeAt,
  })
  process.stdout.write(`${JSON.stringify(completed, null, 2)}\n`)
}
