import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { distDirectory } from './dist-directory.ts'

/** Sizes in bytes, compressed with gzip as most servers do. */
export interface FileSizes {
  /** What every page loads, without its language. */
  shell: number
  styles: number
  /** The size of each screen and each language, by file name. */
  screens: Record<string, number>
  languages: Record<string, number>
}

export const limits = { shell: 150_000, styles: 20_000, screen: 40_000, language: 40_000 } as const

const scriptPattern = /(?:src|modulepreload" crossorigin href)="([^"]+\.js)"/g
const stylePattern = /href="([^"]+\.css)"/g

export function measureFiles(): FileSizes {
  const page = readFileSync(join(distDirectory, 'index.html'), 'utf8')
  const sizeOf = (path: string): number => gzipSync(readFileSync(join(distDirectory, path))).length
  const named = (pattern: RegExp): number => {
    const paths = [...page.matchAll(pattern)].map((match) => (match[1] ?? '').replace('/dashboard/', ''))
    if (paths.length === 0) throw new Error(`the page has nothing like ${String(pattern)}`)
    return paths.reduce((total, path) => total + sizeOf(path), 0)
  }
  const built = (pattern: RegExp): Record<string, number> =>
    Object.fromEntries(
      readdirSync(join(distDirectory, 'assets'))
        .filter((name) => pattern.test(name))
        .map((name) => [`assets/${name}`, sizeOf(`assets/${name}`)]),
    )
  return {
    shell: named(scriptPattern),
    styles: named(stylePattern),
    screens: built(/^screen-[\w-]+\.js$/),
    languages: built(/^catalogue-[\w-]+\.js$/),
  }
}
