import { describe, expect, it } from 'vitest';
import { createSkillSearch } from '../src/index.ts';
import { chinese, german, spanish } from '../src/languages.ts';
import { languageOf, type SearchLanguage } from '../src/languages/search-language.ts';
import { Library } from './support/library.ts';
import { names } from './support/names.ts';

const languages = [german, spanish, chinese];

const english = () =>
  new Library(
    { name: 'invoices', description: 'Drafts invoices for customers.', body: 'Number them.' },
    { name: 'queries', description: 'Makes slow database queries fast.', body: 'Look at the index.' },
    { name: 'minutes', description: 'Writes the minutes of a meeting.', body: 'Who was there?' },
    { name: 'configuration', description: 'Explains configuration.', body: 'See the table.' },
  );

describe('DIS-14: requests and skills in other languages', () => {
  it.each([
    ['Warum ist diese Datenbankabfrage so langsam?', 'queries'],
    ['Schreibe dem Kunden die Rechnungen.', 'invoices'],
    ['¿Por qué son tan lentas las consultas de la base de datos?', 'queries'],
    ['Escribe las facturas de nuestros clientes.', 'invoices'],
    // A compound with one part that no glossary has, behind the known one or before it.
    ['Was ist das für ein Rechnungskrempel?', 'invoices'],
    ['Ich brauche eine Krempelrechnung.', 'invoices'],
    ['为什么数据库查询这么慢?', 'queries'],
    ['写会议纪要。', 'minutes'],
    // Words that no glossary has, and that differ by their endings alone.
    ['Was macht diese Konfiguration?', 'configuration'],
    ['¿Qué hace esta configuración?', 'configuration'],
  ])('%s finds an English skill', async (request, expected) => {
    const search = createSkillSearch(english().provider(), { languages });
    expect((await names(search, request))[0]).toBe(expected);
  });

  it('compares the words of skills in the same language by their stems', async () => {
    const library = new Library(
      { name: 'rechnungen', description: 'Stellt Kunden die Rechnungen für ihre Bestellungen aus.', body: 'Die Nummern sind fortlaufend.' },
      { name: 'facturas', description: 'Prepara las facturas de los clientes para sus pedidos.', body: 'Los números son consecutivos.' },
      { name: 'tea', description: 'Brews tea.', body: 'Wait.' },
    );
    const search = createSkillSearch(library.provider(), { languages });
    expect((await names(search, 'Ich will eine Rechnung für die Bestellung eines Kunden.'))[0]).toBe('rechnungen');
    expect((await names(search, 'Quiero una factura para el pedido de un cliente.'))[0]).toBe('facturas');
    expect(await names(search, 'Welche Nummer kommt als nächste?')).toEqual(['rechnungen']);
    expect(await names(createSkillSearch(library.provider()), 'Welche Nummer kommt als nächste?')).toEqual([]);
  });

  it('changes nothing for requests in English, and nothing without the option', async () => {
    for (const request of ['Why is this database query slow?', 'die invoices', 'a table with no index', '']) {
      const search = createSkillSearch(english().provider());
      const other = createSkillSearch(english().provider(), { languages });
      expect(await names(other, request)).toEqual(await names(search, request));
    }
    expect(await names(createSkillSearch(english().provider()), 'Datenbankabfrage')).toEqual([]);
  });

  it('does not use an index that was written with other languages', async () => {
    const written = createSkillSearch(english().provider(), { languages });
    await written.refresh();
    const index = written.exportIndex();
    const same = createSkillSearch(english().provider(), { languages, index });
    expect((await same.refresh()).diagnostics).toEqual([]);
    const other = createSkillSearch(english().provider(), { index });
    expect((await other.refresh()).diagnostics).toMatchObject([
      { code: 'search-index-unusable', message: expect.stringContaining('with other languages') },
    ]);
  });

  it('takes time by the length of a request, whatever is in it', async () => {
    const search = createSkillSearch(english().provider(), { languages });
    await search.refresh();
    for (const request of [
      'das '.repeat(4_000) + 'daten'.repeat(2_000),
      'daten '.repeat(3_000),
      '数据'.repeat(8_000),
      'die ' + 'ß'.repeat(16_000),
    ])
      expect((await search.search(request)).candidates.length).toBeLessThanOrEqual(4);
  });
});

it('DIS-14: a text that could as well be English is English, and of two languages the first that is given counts', () => {
  const counting = (id: string, count: number): SearchLanguage => ({ ...german, id, count: () => count });
  const inEnglish = (): number => 2;
  expect(languageOf('text', [counting('a', 2)], inEnglish)).toBeUndefined();
  expect(languageOf('text', [counting('a', 3), counting('b', 3)], inEnglish)?.id).toBe('a');
  expect(languageOf('text', [counting('a', 3), counting('b', 4)], inEnglish)?.id).toBe('b');
});
