import { isTestFile, type Module, type Repository } from './repository.ts'

type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const builtIn = /^node:/
/** What is deployed or published; the other packages run in development only. */
const shippedPackages: ReadonlySet<string | undefined> = new Set([
  'server',
  'checkout',
  'simulator',
  'sdk',
  'cli',
])
const packageName = /^(?:@[^/]+\/)?[^/]+/

/** A relative path across packages would bypass the other package's `exports` and its version. */
export function checkPackagePaths(repository: Repository): string[] {
  return repository.modules.flatMap((module) =>
    module.imports
      .filter(
        ({ specifier, target }) => specifier.startsWith('.') && folderOf(target) !== folderOf(module.path),
      )
      .map(
        (one) =>
          `${module.path}:${one.line} imports ${one.specifier}; import another package as @switchyard/<package>/…`,
      ),
  )
}

/** Shipped code needs `dependencies`; tests and the other packages may use `devDependencies`, tests also the root's. */
export function checkDeclaredPackages(repository: Repository): string[] {
  const root = manifestOf(repository, 'package.json')
  return repository.modules.flatMap((module) => {
    const folder = folderOf(module.path)
    const own = manifestOf(repository, `${folder}/package.json`)
    if (own === undefined) return []
    const isTest = isTestFile(module.path)
    const declared = new Set([
      ...Object.keys(own.dependencies ?? {}),
      ...(isTest || !shippedPackages.has(folder) ? Object.keys(own.devDependencies ?? {}) : []),
      ...(isTest ? Object.keys(root?.devDependencies ?? {}) : []),
    ])
    return undeclared(module, declared)
  })
}

function undeclared(module: Module, declared: ReadonlySet<string>): string[] {
  return module.imports
    .filter(({ specifier }) => !specifier.startsWith('.') && !builtIn.test(specifier))
    .filter(({ specifier }) => !declared.has(packageName.exec(specifier)?.[0] ?? specifier))
    .map(
      (one) =>
        `${module.path}:${one.line} imports ${one.specifier}, which ${folderOf(module.path)}/package.json does not declare`,
    )
}

const folderOf = (path: string | undefined): string | undefined => path?.split('/')[0]

function manifestOf(repository: Repository, path: string): Manifest | undefined {
  const file = repository.files.find((one) => one.path === path)
  return file && JSON.parse(file.text)
}
