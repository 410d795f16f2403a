import type { EntryKind, ListEntry, ListSource } from '../record.ts'
import { unreadableList } from './errors.ts'
import { createEntries, toEntry } from './rules.ts'
import { elementsAt, readXml, textAt, textsAt, type XmlElement } from './read-xml.ts'

interface XmlFormat {
  source: ListSource
  /** The name of the document's first element. */
  root: string
  records: readonly string[]
  entryOf(this: void, record: XmlElement): ListEntry
}

const kindOf = (text: string): EntryKind => {
  const word = text.toLowerCase()
  if (word === 'individual' || word === 'person' || word === 'p') return 'person'
  return ['vessel', 'ship', 'aircraft'].includes(word) ? 'vessel' : 'organisation'
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

/** https://ofac.treasury.gov, sdn.xml and consolidated.xml. */
const ofac: XmlFormat = {
  source: 'ofac',
  root: 'sdnList',
  records: ['sdnEntry'],
  entryOf: (record) =>
    toEntry({
      entryId: textAt(record, 'uid'),
      kind: kindOf(textAt(record, 'sdnType')),
      names: [record, ...elementsAt(record, 'akaList/aka')].map((one) =>
        joined(textAt(one, 'firstName'), textAt(one, 'lastName')),
      ),
      birthDates: textsAt(record, 'dateOfBirthList/dateOfBirthItem/dateOfBirth'),
      countries: [
        ...textsAt(record, 'nationalityList/nationality/country'),
        ...textsAt(record, 'citizenshipList/citizenship/country'),
        ...textsAt(record, 'addressList/address/country'),
      ],
      programmes: textsAt(record, 'programList/program'),
    }),
}

const unNameParts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'] as const

/** https://scsanctions.un.org, consolidated.xml. */
const un: XmlFormat = {
  source: 'un',
  root: 'CONSOLIDATED_LIST',
  records: ['INDIVIDUAL', 'ENTITY'],
  entryOf(record) {
    const of = record.name
    return toEntry({
      entryId: textAt(record, 'DATAID'),
      kind: of === 'INDIVIDUAL' ? 'person' : 'organisation',
      names: [
        joined(...unNameParts.map((part) => textAt(record, part))),
        ...textsAt(record, `${of}_ALIAS/ALIAS_NAME`),
        textAt(record, 'NAME_ORIGINAL_SCRIPT'),
      ],
      birthDates: ['DATE', 'YEAR', 'FROM_YEAR', 'TO_YEAR'].flatMap((part) =>
        textsAt(record, `${of}_DATE_OF_BIRTH/${part}`),
      ),
      countries: [...textsAt(record, 'NATIONALITY/VALUE'), ...textsAt(record, `${of}_ADDRESS/COUNTRY`)],
      programmes: textsAt(record, 'UN_LIST_TYPE'),
    })
  },
}

const attribute = ({ attributes }: XmlElement, name: string): string => attributes[name]?.trim() ?? ''

/** https://webgate.ec.europa.eu/fsd/fsf, xmlFullSanctionsList 1.1. */
const eu: XmlFormat = {
  source: 'eu',
  root: 'export',
  records: ['sanctionEntity'],
  entryOf: (record) =>
    toEntry({
      entryId: attribute(record, 'logicalId'),
      kind: kindOf(elementsAt(record, 'subjectType').map((one) => attribute(one, 'code'))[0] ?? ''),
      names: elementsAt(record, 'nameAlias').map(
        (one) =>
          attribute(one, 'wholeName') ||
          joined(attribute(one, 'firstName'), attribute(one, 'middleName'), attribute(one, 'lastName')),
      ),
      birthDates: elementsAt(record, 'birthdate').map(
        (one) => attribute(one, 'birthdate') || attribute(one, 'year'),
      ),
      countries: ['citizenship', 'address'].flatMap((part) =>
        elementsAt(record, part).map((one) => attribute(one, 'countryIso2Code')),
      ),
      programmes: elementsAt(record, 'regulation').map((one) => attribute(one, 'programme')),
    }),
}

const ukNameParts = ['Name1', 'Name2', 'Name3', 'Name4', 'Name5', 'Name6'] as const

/** https://www.gov.uk, the UK Sanctions List in XML. */
const uk: XmlFormat = {
  source: 'uk',
  root: 'Designations',
  records: ['Designation'],
  entryOf: (record) =>
    toEntry({
      entryId: textAt(record, 'UniqueID'),
      kind: kindOf(textAt(record, 'IndividualEntityShip')),
      names: [
        ...elementsAt(record, 'Names/Name').map((one) =>
          joined(...ukNameParts.map((part) => textAt(one, part))),
        ),
        ...textsAt(record, 'NonLatinNames/NonLatinName/NameNonLatinScript'),
      ],
      birthDates: textsAt(record, 'IndividualDetails/Individual/DOBs/DOB'),
      countries: [
        ...textsAt(record, 'IndividualDetails/Individual/Nationalities/Nationality'),
        ...textsAt(record, 'Addresses/Address/AddressCountry'),
      ],
      programmes: textsAt(record, 'RegimeName'),
    }),
}

const formats: readonly XmlFormat[] = [ofac, un, eu, uk]

/** The first element identifies the list. */
export async function readXmlList(path: string): Promise<{ source: ListSource; entries: ListEntry[] }> {
  const entries = createEntries()
  let format: XmlFormat | undefined
  await readXml(path, {
    records: new Set(formats.flatMap(({ records }) => records)),
    onRoot({ name }) {
      format = formats.find(({ root }) => root === name)
      if (!format) throw unreadableList(`no list that is known begins with <${name.slice(0, 60)}>`)
    },
    onRecord(record) {
      if (format?.records.includes(record.name) === true) entries.add(format.entryOf(record))
    },
  })
  if (!format) throw unreadableList('the file is empty')
  return { source: format.source, entries: entries.all() }
}
