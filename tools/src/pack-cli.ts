import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../..')
const cli = join(root, 'cli')

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  engines: object
}

/** Bundles the command line into one file without dependencies, and packs it; returns the path of the tarball. */
export async function packCli(directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true })
  const program = join(directory, 'switchyard.js')
  const bundle = await rolldown({ input: join(cli, 'src/main.ts'), platform: 'node' })
  await bundle.write({ file: program, format: 'esm', minify: true })
  await bundle.close()
  chmodSync(program, 0o755)
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'))
  copyFileSync(join(root, 'docs/cli.md'), join(directory, 'README.md'))
  const { name, version, description, license, engines }: Manifest = JSON.parse(
    readFileSync(join(cli, 'package.json'), 'utf8'),
  )
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { switchyard: 'switchyard.js' },
  }
  const published = { ...manifest, files: ['switchyard.js'] }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  const file = execFileSync('npm', ['pack', '--silent'], { cwd: directory, encoding: 'utf8' }).trim()
  return join(directory, file)
}

if (import.meta.main) console.log(await packCli(process.argv[2] ?? join(cli, 'dist')))
