import { describe, expect, it } from 'vitest'
import { euXml, ofacXml, ukCsv, ukXml, unXml, writeListFile } from '../testing/list-files.ts'
import { readList } from './read-list.ts'
import { fingerprintOf, readBirthDate } from './rules.ts'

const read = async (content: string, name = 'list.xml') => readList(await writeListFile(name, content))

describe('the files of the publishers', () => {
  it('OFAC: names, aliases, dates of birth and countries', async () => {
    const { source, entries } = await read(
      ofacXml([
        { uid: '36', first: 'Oluakin', last: 'NDUEZEMI', born: '10 Dec 1948', aka: 'Nwachi Okebola' },
      ]),
    )
    expect(source).toBe('ofac')
    expect(entries).toEqual([
      {
        entryId: '36',
        kind: 'person',
        names: ['Oluakin NDUEZEMI', 'Nwachi Okebola'],
        birthDates: ['1948-12-10'],
        countries: ['NG'],
        programmes: ['TEST'],
      },
    ])
  })

  it('UN: individuals in both scripts, and entities', async () => {
    const { source, entries } = await read(unXml)
    expect(source).toBe('un')
    expect(entries).toMatchObject([
      {
        entryId: '1001',
        names: ['Tamroz Qudlawi', 'Abu Tamroz', 'تمروز قدلاوي'],
        birthDates: ['1971-02-03', '1972'],
        countries: ['IQ'],
      },
      { entryId: '1002', kind: 'organisation', names: ['Brenquin & Oakwick Trading'], countries: ['SO'] },
    ])
  })

  it('EU: attributes under a namespace', async () => {
    const { source, entries } = await read(euXml)
    expect(source).toBe('eu')
    expect(entries).toMatchObject([
      {
        entryId: '13',
        names: ['Pavlen Shumorskiy', 'Павлен Шуморский'],
        birthDates: ['1968-07-09'],
        countries: ['BY'],
      },
    ])
  })

  it('UK: the lines of a group are one entry, as CSV and as XML', async () => {
    const csv = await read(ukCsv, 'ConList.csv')
    expect(csv.source).toBe('uk')
    expect(csv.entries).toMatchObject([
      {
        entryId: '20001',
        kind: 'person',
        names: ['Timrad SEVHOLOV', 'Timrad SEVHOLOFF', 'Тимрад Севхолов'],
        birthDates: ['1963', '1963-04-28'],
        countries: ['RU'],
      },
      { entryId: '20002', kind: 'organisation', names: ['NORTHGALE SHIPPING, LTD'], countries: ['IR'] },
    ])
    const xml = await read(ukXml)
    expect(xml).toMatchObject({ source: 'uk', entries: [{ entryId: 'TST0001', birthDates: ['1963'] }] })
  })

  it('the same content has the same fingerprint, and a new alias another one', async () => {
    const entry = { uid: '36', first: 'Oluakin', last: 'NDUEZEMI' }
    const [one] = (await read(ofacXml([entry]))).entries
    const [same] = (await read(`${ofacXml([entry])}\n`)).entries
    const [other] = (await read(ofacXml([{ ...entry, aka: 'Nwachi' }]))).entries
    if (!one || !same || !other) throw new Error('an entry is missing')
    expect(fingerprintOf(same)).toBe(fingerprintOf(one))
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(one))
  })

  it.each([
    ['10 Dec 1948', '1948-12-10'],
    ['circa 1951', '1951'],
    ['00/00/1963', '1963'],
    ['dd/mm/1950', '1950'],
    ['28/04/1937', '1937-04-28'],
    ['1937-04-28', '1937-04-28'],
    ['unknown', undefined],
  ])('a date of birth %s', (text, expected) => {
    expect(readBirthDate(text)).toBe(expected)
  })
})

describe('a file that is refused', () => {
  const entity = '<sdnEntry><uid>1</uid><lastName>&x;</lastName><sdnType>Individual</sdnType></sdnEntry>'
  const laughs = `<!DOCTYPE sdnList [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x "&b;&b;&b;&b;">]>`
  const external = '<!DOCTYPE sdnList [<!ENTITY x SYSTEM "file:///etc/passwd">]>'

  it.each([
    [
      'declares an external entity',
      `<?xml version="1.0"?>${external}<sdnList>${entity}</sdnList>`,
      /document type/,
    ],
    [
      'declares entities that expand',
      `<?xml version="1.0"?>${laughs}<sdnList>${entity}</sdnList>`,
      /document type/,
    ],
    [
      'names a document type only',
      '<!DOCTYPE sdnList SYSTEM "http://127.0.0.1/x.dtd"><sdnList/>',
      /document type/,
    ],
    ['uses an entity that nobody declared', `<sdnList>${entity}</sdnList>`, /well-formed/],
    ['is cut off', ofacXml([{ uid: '1', first: 'A', last: 'B' }]).slice(0, -20), /ends before|well-formed/],
    ['closes another element', '<sdnList><sdnEntry></sdnList></sdnEntry>', /well-formed/],
    ['is another document', '<html><body>Service unavailable</body></html>', /begins with <html>/],
    ['has no entries', '<sdnList></sdnList>', /no entries/],
    ['has an entry without a name', '<sdnList><sdnEntry><uid>1</uid></sdnEntry></sdnList>', /no name/],
    ['has an entry without an id', '<sdnList><sdnEntry><lastName>A</lastName></sdnEntry></sdnList>', /no id/],
    ['is nested without end', `<sdnList><sdnEntry>${'<a>'.repeat(50)}`, /nested/],
    ['is empty', '', /CSV/],
    ['is CSV of something else', 'a,b\n1,2\n', /no columns of the UK list/],
    ['has a quote that is never closed', `${ukCsv}"`, /quote/],
  ])('%s', async (_, content, reason) => {
    await expect(read(content, 'list')).rejects.toThrow(reason)
  })

  it('has an entry twice', async () => {
    const one = { uid: '1', first: 'Ade', last: 'Nduezemi' }
    await expect(read(ofacXml([one, one]))).rejects.toThrow('occurs twice')
  })

  it('has an entry that never ends', async () => {
    const endless = `<sdnList><sdnEntry><uid>1</uid><lastName>${'A'.repeat(2_100_000)}</lastName></sdnEntry></sdnList>`
    await expect(read(endless)).rejects.toThrow('too large')
  })
})
