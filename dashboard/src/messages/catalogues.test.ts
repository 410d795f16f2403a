import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@switchyard/checkout/languages.ts'
import { describe, expect, it } from 'vitest'
import { compareCatalogues } from '../testing/compare-catalogues.ts'
import { chooseLanguage, languagesOf } from './choose-language.ts'
import { catalogue as english } from './generated/en/catalogue.ts'
import { pluralsOf } from './plural.ts'

const here = import.meta.dirname
const sources = join(here, '..')
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
  .map(({ name }) => name)
const filesOf = (folder: string): string[] => readdirSync(join(here, folder)).toSorted()
const sourceFiles = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /(?<!\.test)\.tsx?$/.test(file) && !/^(?:messages|testing)\//.test(file),
)
const textsImport = /import \{([^}]*)\} from '[./]*messages\/generated\/texts\.ts'/g

describe('the texts', () => {
  it('in English are each used by a screen', () => {
    const used = new Set(
      sourceFiles.flatMap((file) =>
        [...readFileSync(join(sources, file), 'utf8').matchAll(textsImport)].flatMap(([, names = '']) =>
          names.split(',').map((name) => name.trim().split(' as ')[0]),
        ),
      ),
    )
    expect(Object.keys(english).filter((name) => !used.has(name))).toEqual([])
  })

  it('are read in the language of the page', () => {
    const direct = sourceFiles.filter((file) =>
      /messages\/(?:generated\/)?(?:en|fr|sw|pt|ar)\//.test(readFileSync(join(sources, file), 'utf8')),
    )
    expect(direct).toEqual([])
  })

  it.each(folders)('in %s are complete and translated', async (folder) => {
    expect(languages).toContain(folder)
    expect(filesOf(folder)).toEqual(filesOf('en'))
    // The folder's name is known only at run time.
    const { catalogue } = (await import(join(here, 'generated', folder, 'catalogue.ts'))) as {
      catalogue: unknown
    }
    if (folder !== 'en') expect(compareCatalogues(english, catalogue)).toEqual([])
  })
})

describe('comparing a translation with the English', () => {
  const source = {
    save: 'Save',
    lost: 'The connection was lost',
    ordinals: ['', ' on the second attempt'],
    removed: (name: string) => `${name} was removed from here`,
    changes: (count: number) => `${count} changes`,
  }
  const french = {
    save: 'Enregistrer',
    lost: 'La connexion est perdue',
    ordinals: ['', ' au deuxième essai'],
    removed: (name: string) => `${name} ne figure plus ici`,
    changes: (count: number) => `${count} modifications`,
  }
  it('finds nothing in a good one', () => expect(compareCatalogues(source, french)).toEqual([]))

  it.each([
    [{ lost: 'The connection was lost' }, 'lost is not translated'],
    [{ lost: undefined }, 'lost is missing'],
    [{ save: ' ' }, 'save is empty'],
    [{ more: 'Plus' }, '.more is not in English'],
    [{ ordinals: ['', 'au deuxième essai'] }, 'ordinals.1 begins or ends with a space in one language only'],
    [{ removed: () => 'Une personne ne figure plus ici' }, 'removed leaves out «0»'],
    [{ removed: source.removed }, 'removed is not translated'],
  ])('finds a flaw (%#)', (flaw, finding) => {
    expect(compareCatalogues(source, { ...french, ...flaw })).toEqual([finding])
  })
})

describe('the language', () => {
  const available = languagesOf([
    './ar/catalogue.ts',
    './en/catalogue.ts',
    './xx/catalogue.ts',
    './pt/catalogue.ts',
  ])

  it('is one that has a catalogue', () => expect(available).toEqual(['en', 'pt', 'ar']))

  it.each([
    [null, ['pt-MZ', 'en'], 'pt'],
    [null, ['sw-KE', 'ar-EG', 'en'], 'ar'],
    ['ar', ['pt-MZ'], 'ar'],
    ['sw', ['pt-MZ'], 'pt'],
    [null, ['de'], 'en'],
    [null, [], 'en'],
  ])('that was chosen as %s by a browser of %j is %s', (chosen, preferred, language) => {
    expect(chooseLanguage({ chosen, preferred }, available)).toBe(language)
  })
})

describe('plurals', () => {
  it('follow the rules of the language and write its numbers', () => {
    const forms = { zero: 'z', one: 'o', two: 't', few: '# f', many: '# m', other: '# x' }
    const arabic = pluralsOf('ar')
    expect([0, 1, 2, 3, 11, 100, 1234.5].map((count) => arabic(count, forms))).toEqual([
      'z',
      'o',
      't',
      '3 f',
      '11 m',
      '100 x',
      '1,234.5 x',
    ])
    expect(pluralsOf('fr')(12_345, { one: '# ligne', other: '# lignes' })).toBe('12\u202f345 lignes')
  })
})
