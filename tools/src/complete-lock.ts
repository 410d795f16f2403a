import { readFileSync, writeFileSync } from 'node:fs'

/**
 * A registry mirror may lack the packages of other platforms; npm then leaves them out of the lock file, and
 * `npm ci` refuses it. This adds them back by name and version, so that one lock file serves every platform.
 */
interface LockEntry {
  version?: string
  dev?: boolean
  optionalDependencies?: Record<string, string>
}

const systems: Record<string, string> = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  wasi: 'wasi',
  win32: 'win32',
  windows: 'win32',
}
const processors = /^(?:arm|arm64|x64|ia32|ppc64|riscv64|s390x|wasm32)$/
const libraries: Record<string, string> = { musl: 'musl', gnu: 'glibc' }

const file = new URL('../../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> } // npm's own format, version 3

for (const [path, entry] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key] || lock.packages[`${path}/${key}`] || !/^\d/.test(version)) continue
    lock.packages[key] = { version, ...(entry.dev && { dev: true }), ...platformOf(name) }
  }

function platformOf(name: string): object {
  const words = name.split('/').at(-1)?.split('-') ?? []
  const system = words.map((word) => systems[word]).find((found) => found !== undefined)
  const processor = words.find((word) => processors.test(word))
  const library = libraries[words.at(-1) ?? '']
  return {
    ...(processor !== undefined && { cpu: [processor] }),
    ...(library !== undefined && { libc: [library] }),
    optional: true,
    ...(system !== undefined && { os: [system] }),
  }
}

const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
