import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files in the formats of the publishers. Nobody in them exists. */
export async function writeListFile(name: string, content: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'sanctions-')), name)
  await writeFile(path, content)
  return path
}

export const ofacXml = (
  entries: readonly { uid: string; first: string; last: string; born?: string; aka?: string }[],
): string => `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/16/2026</Publish_Date><Record_Count>${entries.length}</Record_Count></publshInformation>
  ${entries
    .map(
      ({ uid, first, last, born, aka }) => `<sdnEntry>
    <uid>${uid}</uid><firstName>${first}</firstName><lastName>${last}</lastName><sdnType>Individual</sdnType>
    <programList><program>TEST</program></programList>
    ${aka === undefined ? '' : `<akaList><aka><uid>1</uid><type>a.k.a.</type><category>strong</category><lastName>${aka}</lastName></aka></akaList>`}
    <nationalityList><nationality><uid>2</uid><country>Nigeria</country><mainEntry>true</mainEntry></nationality></nationalityList>
    ${born === undefined ? '' : `<dateOfBirthList><dateOfBirthItem><uid>3</uid><dateOfBirth>${born}</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem></dateOfBirthList>`}
  </sdnEntry>`,
    )
    .join('\n  ')}
</sdnList>`

export const unXml = `<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-16T00:00:00">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>1001</DATAID><FIRST_NAME>Tamroz</FIRST_NAME><SECOND_NAME>Qudlawi</SECOND_NAME>
      <UN_LIST_TYPE>TEST</UN_LIST_TYPE><NAME_ORIGINAL_SCRIPT>تمروز قدلاوي</NAME_ORIGINAL_SCRIPT>
      <NATIONALITY><VALUE>Iraq</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Abu Tamroz</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1971-02-03</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><YEAR>1972</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES>
    <ENTITY><DATAID>1002</DATAID><FIRST_NAME>Brenquin &amp; Oakwick Trading</FIRST_NAME><UN_LIST_TYPE>TEST</UN_LIST_TYPE>
      <ENTITY_ADDRESS><COUNTRY>Somalia</COUNTRY></ENTITY_ADDRESS></ENTITY>
  </ENTITIES>
</CONSOLIDATED_LIST>`

export const euXml = `<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-16T10:00:00.000+01:00" globalFileId="1">
  <sanctionEntity euReferenceNumber="EU.1.1" logicalId="13">
    <regulation programme="TEST" regulationType="regulation"/>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="Pavlen" middleName="" lastName="Shumorskiy" wholeName="Pavlen Shumorskiy" strong="true"/>
    <nameAlias firstName="" lastName="" wholeName="Павлен Шуморский" strong="true"/>
    <citizenship countryIso2Code="BY" countryDescription="BELARUS"/>
    <birthdate circa="false" birthdate="1968-07-09" year="1968"/>
  </sanctionEntity>
</export>`

export const ukCsv = `Last Updated,16/11/2026
Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Title,Name Non-Latin Script,DOB,Nationality,Country,Group Type,Alias Type,Regime,Group ID
SEVHOLOV,Timrad,,,,,,Тимрад Севхолов,00/00/1963,Russia,Russia,Individual,Primary name,Test,20001
SEVHOLOFF,Timrad,,,,,,,28/04/1963,Russia,,Individual,AKA,Test,20001
"NORTHGALE SHIPPING, LTD",,,,,,,,,,Iran,Entity,Primary name,Test,20002
`

export const ukXml = `<?xml version="1.0" encoding="utf-8"?>
<Designations><DateGenerated>16/11/2026</DateGenerated>
  <Designation><UniqueID>TST0001</UniqueID><OFSIGroupID>20001</OFSIGroupID>
    <Names><Name><Name1>Timrad</Name1><Name6>SEVHOLOV</Name6><NameType>Primary Name</NameType></Name>
      <Name><Name6>Sevholoff</Name6><Name1>T</Name1><NameType>Alias</NameType></Name></Names>
    <NonLatinNames><NonLatinName><NameNonLatinScript>Тимрад Севхолов</NameNonLatinScript></NonLatinName></NonLatinNames>
    <RegimeName>Test</RegimeName><IndividualEntityShip>Individual</IndividualEntityShip>
    <IndividualDetails><Individual><DOBs><DOB>dd/mm/1963</DOB></DOBs><Nationalities><Nationality>Russia</Nationality></Nationalities></Individual></IndividualDetails>
  </Designation>
</Designations>`
