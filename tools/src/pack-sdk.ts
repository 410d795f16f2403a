import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const sdk = join(root, 'sdk')

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  engines: object
  exports: Record<string, string>
}

/**
 * Builds the published form of the SDK into a folder and packs it there; returns the path of the tarball. Within the
 * repository its source is imported as it is, which Node refuses under `node_modules`.
 */
export function packSdk(directory: string): string {
  mkdirSync(directory, { recursive: true })
  run('node_modules/.bin/tsc', ['-p', join(sdk, 'tsconfig.build.json'), '--outDir', join(directory, 'dist')])
  for (const name of globSync('dist/**/*.d.ts', { cwd: directory })) correctImports(join(directory, name))
  copyFileSync(join(sdk, 'README.md'), join(directory, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  const manifest = publishedManifest(JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')))
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const file = execFileSync('npm', ['pack', '--silent'], { cwd: directory, encoding: 'utf8' }).trim()
  return join(directory, file)
}

const run = (program: string, args: readonly string[]): void => {
  execFileSync(join(root, program), args, { cwd: root, stdio: 'inherit' })
}

/** The compiler changes the endings of imports in JavaScript only. */
function correctImports(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

const publishedManifest = ({ name, version, description, license, engines, exports }: Manifest): object => ({
  name,
  version,
  description,
  license,
  type: 'module',
  engines,
  sideEffects: false,
  files: ['dist'],
  exports: {
    ...Object.fromEntries(
      Object.entries(exports).map(([entry, source]) => {
        const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
        return [entry, { types: `${built}.d.ts`, default: `${built}.js` }]
      }),
    ),
    './package.json': './package.json',
  },
})

if (import.meta.main) console.log(packSdk(process.argv[2] ?? join(sdk, 'dist')))
