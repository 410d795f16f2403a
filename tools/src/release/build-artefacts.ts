import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Clone } from './repository.ts'

type Release = {
  readonly clone: Clone
  readonly version: string
  readonly notes: string
  /** Where the artefacts are written; it is emptied first. */
  readonly dist: string
  readonly hasImage: boolean
  /** The path of a tool, or undefined where this machine does not have it. */
  readonly findTool: (name: string) => string | undefined
  readonly print: (line: string) => void
}

type Step = { readonly name: string; readonly make: (release: Release) => string | undefined }

const chart = 'deploy/helm/switchyard'
const sumsFile = 'SHA256SUMS'
const sbomBytesLimit = 50_000_000

/** Each writes files into the directory, or returns the reason why it cannot be made here. */
const steps: readonly Step[] = [
  { name: 'notes', make: writeNotes },
  { name: 'API', make: copyApi },
  { name: 'source', make: archiveSource },
  { name: 'SBOM', make: writeSbom },
  { name: 'TypeScript SDK', make: (release) => packNode(release, 'tools/src/pack-sdk.ts') },
  { name: 'command line', make: (release) => packNode(release, 'tools/src/pack-cli.ts') },
  { name: 'Python SDK', make: buildPython },
  { name: 'image', make: buildImage },
  { name: 'chart', make: packChart },
]

/** Makes every artefact that this machine has the tools for; returns the names of those that it left out. */
export function buildArtefacts(release: Release): string[] {
  const { dist, print } = release
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const missing = steps.flatMap(({ name, make }) => {
    const reason = make(release)
    print(reason === undefined ? `made     ${name}` : `left out ${name}: ${reason}`)
    return reason === undefined ? [] : [name]
  })
  writeSums(dist)
  return missing
}

function writeNotes({ dist, notes }: Release): undefined {
  writeFileSync(join(dist, 'NOTES.md'), `${notes}\n`)
}

function copyApi({ clone, dist }: Release): undefined {
  copyFileSync(join(clone.root, 'docs/openapi.json'), join(dist, 'openapi.json'))
}

function archiveSource({ clone, version, dist }: Release): undefined {
  const name = `switchyard-${version}`
  clone.git('archive', '--format=tar.gz', `--prefix=${name}/`, '-o', join(dist, `${name}.tar.gz`), 'HEAD')
}

function writeSbom({ clone, version, dist }: Release): undefined {
  const args = [
    'sbom',
    '--package-lock-only',
    '--omit',
    'dev',
    '--sbom-format',
    'cyclonedx',
    '--workspace',
    'server',
  ]
  const sbom = execFileSync('npm', args, { cwd: clone.root, encoding: 'utf8', maxBuffer: sbomBytesLimit })
  writeFileSync(join(dist, `switchyard-${version}.cdx.json`), sbom)
}

function packNode({ clone, dist }: Release, program: string): undefined {
  inScratch((directory) => {
    execFileSync(process.execPath, [program, directory], {
      cwd: clone.root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    for (const name of globSync('*.tgz', { cwd: directory }))
      copyFileSync(join(directory, name), join(dist, name))
  })
}

function buildPython({ clone, dist }: Release): undefined {
  execFileSync('bash', ['tools/use-python.sh'], { cwd: clone.root, stdio: ['ignore', 'ignore', 'inherit'] })
  const python = join(clone.root, '.toolchain/python/bin/python')
  execFileSync(python, ['-m', 'build', '--no-isolation', '--wheel', '--outdir', dist, 'sdk-python'], {
    cwd: clone.root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function buildImage({ clone, version, dist, hasImage, findTool }: Release): string | undefined {
  if (!hasImage) return 'the option --no-image was given'
  if (!clone.has('deploy/image/build')) return 'there is no deploy/image/build'
  if (process.getuid?.() !== 0) return 'it can be built by root only'
  const missing = ['buildah', 'mmdebstrap'].filter((tool) => findTool(tool) === undefined)
  if (missing.length > 0)
    return `${missing.join(' and ')} not found; install with deploy/install-tools ${missing.join(' ')}`
  inScratch((directory) => {
    execFileSync('deploy/image/build', [directory], {
      cwd: clone.root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const names: Readonly<Record<string, string>> = {
      'switchyard.tar': `switchyard-${version}.oci.tar`,
      'switchyard.digest': `switchyard-${version}.oci.digest`,
      'switchyard-try.tar': `switchyard-try-${version}.oci.tar`,
      'sbom.json': `switchyard-${version}.oci.cdx.json`,
    }
    for (const [from, to] of Object.entries(names)) copyFileSync(join(directory, from), join(dist, to))
  })
  return undefined
}

function packChart({ clone, dist, findTool }: Release): string | undefined {
  if (!clone.has(`${chart}/Chart.yaml`)) return 'there is no chart'
  const helm = findTool('helm')
  if (helm === undefined) return 'helm not found; install with deploy/install-tools helm'
  execFileSync(helm, ['package', chart, '--destination', dist], {
    cwd: clone.root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return undefined
}

function inScratch(work: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'switchyard-release-'))
  try {
    work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** In the format of sha256sum, so that `sha256sum --check SHA256SUMS` verifies a download. */
function writeSums(dist: string): void {
  const lines = readdirSync(dist)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(dist, name)))
          .digest('hex')}  ${basename(name)}\n`,
    )
  writeFileSync(join(dist, sumsFile), lines.join(''))
}
