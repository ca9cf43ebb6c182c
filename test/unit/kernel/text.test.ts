import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, foldQuery, isWellFormedText } from '#shared/text.ts'

describe('fold ignores', () => {
  test.each([
    ['case', 'Sara COHEN', 'sara cohen'],
    ['Latin accents', 'Zoë Núñez Dvořák', 'zoe nunez dvorak'],
    ['accents that are part of a letter', 'Søren Łukasz Đorđe Straße Æsa', 'soren lukasz dorde strasse aesa'],
    ['the two small i of Turkish', 'İbrahim Işık', 'ibrahim isik'],
    ['Greek accents and the final sigma', 'Γιάννης', 'γιαννησ'],
    ['harakat', 'مُحَمَّد', 'محمد'],
    ['tanwin and sukun', 'سَعْدًا', 'سعدا'],
    ['tatweel', 'محـــمد', 'محمد'],
    ['superscript alef', 'عبد الرحمٰن', 'عبد الرحمن'],
    ['hamza above and below alef, madda and wasla', 'أحمد إيمان آدم ٱلله', 'احمد ايمان ادم الله'],
    ['hamza on waw and yeh', 'مؤمن رائد', 'مومن رايد'],
    ['hamza on its own', 'علاء هناء', 'علا هنا'],
    ['alef maksura', 'مصطفى', 'مصطفي'],
    ['teh marbuta', 'فاطمة', 'فاطمه'],
    ['Persian yeh and kaf', 'علی کریم', 'علي كريم'],
    ['presentation forms', 'ﻣﺤﻤﺪ ﻻ', 'محمد لا'],
    ['niqqud', 'שָׁלוֹם', 'שלומ'],
    ['cantillation', 'בְּרֵאשִׁ֖ית', 'בראשית'],
    ['the final form of Hebrew letters', 'ברוך כהן מרים יוסף קיבוץ', 'ברוכ כהנ מרימ יוספ קיבוצ'],
    ['geresh and gershayim, whichever key wrote them', `ג׳ורג׳ ג'ורג’ צה״ל צה"ל רמב''ם`, 'גורג גורג צהל צהל רמבמ'],
    ['apostrophes', "O’Brien O'Neil D´Arc Ra`ed ʿAbd", 'obrien oneil darc raed abd'],
    ['quotation marks', '“Dana” "Levi" „x”', 'dana levi x'],
    [
      'hyphen, maqaf and dash, which count as blanks',
      'בן־דוד Jean-Luc Ann‐Lee A – B—C - jean-',
      'בנ דוד jean luc ann lee a b c jean',
    ],
    ['which key wrote the hyphen of a number', 'S‐000042 10־א 050–123', 's-000042 10-א 050-123'],
    ['digraphs of Yiddish', 'װױײ', 'וווייי'],
    ['direction marks', '\u202eאבג\u202c \u200fדנה\u200e \u2067x\u2069', 'אבג דנה x'],
    ['joiners', 'می\u200cخواهم ن\u200dور', 'ميخواهم نور'],
    ['soft hyphens, zero-width blanks and byte order marks', '\ufeffda\u00advid\u200b', 'david'],
    ['full width and ligatures', 'Ｄａｖｉｄ ﬁne', 'david fine'],
    ['amount and kind of white space', ' \tAbu\u00a0 \n Ali\u3000', 'abu ali'],
    ['control characters', 'a\u0000b\u0085c', 'a b c'],
    ['Arabic-Indic, Persian and full-width digits', '٠٩ ۰۹ ０９', '09 09 09'],
  ])('%s', (_what, written, folded) => {
    expect(fold(written)).toBe(folded)
  })
})

describe('fold', () => {
  test('keeps what tells names apart', () => {
    expect(fold('بيت')).not.toBe(fold('بنت'))
    expect(fold('شادي')).not.toBe(fold('سادي'))
    expect(fold('אורי')).not.toBe(fold('עורי'))
    expect(fold('Ann Lee')).not.toBe(fold('Annlee'))
    expect(fold('=cmd|x +1 @y')).toBe('=cmd|x +1 @y')
    expect(fold('1-2')).not.toBe(fold('12'))
  })

  test('keeps the vowel signs of scripts that write vowels as marks', () => {
    expect(fold('कि')).not.toBe(fold('क'))
    expect(fold('กิ')).not.toBe(fold('ก'))
    expect(fold('が')).not.toBe(fold('か'))
  })

  test('leaves the letters of other scripts composed, so that a length counts letters', () => {
    expect(fold('김가')).toBe('김가'.normalize('NFC'))
    expect(fold('が')).toBe('が'.normalize('NFC'))
  })

  test('makes the beginning of a Hebrew name a prefix of it', () => {
    expect(fold('כהנא').startsWith(fold('כהן'))).toBe(true)
  })

  test('makes nothing of marks and controls alone', () => {
    expect(fold('\u064b\u202e \u05b0ء')).toBe('')
  })

  test('sorts names as a dictionary would, whatever marks they carry', () => {
    const sorted = (names: string[]): string[] => names.toSorted((a, b) => (fold(a) < fold(b) ? -1 : 1))
    expect(sorted(['Élodie', 'eva', 'Adam', 'Zoe', 'ábel'])).toEqual(['ábel', 'Adam', 'Élodie', 'eva', 'Zoe'])
    expect(sorted(['بدر', 'أمل', 'تامر', 'إبراهيم'])).toEqual(['إبراهيم', 'أمل', 'بدر', 'تامر'])
    expect(sorted(['כהנא', 'לוי', 'כהן', 'ארז'])).toEqual(['ארז', 'כהן', 'כהנא', 'לוי'])
  })

  test('changes nothing when done twice', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })

  test('is the same for every normal form of a text', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        expect(fold(text.normalize(form))).toBe(fold(text))
      }),
    )
  })

  test('is the same for upper and lower case in the alphabets of the region', () => {
    const letters = fc.string({ unit: fc.integer({ min: 0x41, max: 0x6ff }).map((code) => String.fromCodePoint(code)) })
    fc.assert(
      fc.property(
        // U+0345 is the only mark below U+0700 that has an upper case, which is a letter.
        letters.map((text) => text.replaceAll('\u0345', '')),
        (text) => {
          expect(fold(text.toUpperCase())).toBe(fold(text))
          expect(fold(text.toLowerCase())).toBe(fold(text))
        },
      ),
    )
  })

  test('takes a time that grows with the text, whatever stands in it', () => {
    const started = performance.now()
    for (const text of ['1-', "1-'", 'a-', '- ', ' \u0301', '\u0301']) fold(`${text.repeat(50_000)}é`)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('leaves no blank at the ends and none beside another', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(text)).not.toMatch(/^\s|\s$|\s\s/)
      }),
    )
  })
})

describe('foldQuery', () => {
  test.each([
    ['050-123 4567', '0501234567'],
    ['+972 50 123-4567', '+972501234567'],
    ['(050) 123.4567', '0501234567'],
    ['٠٥٠-١٢٣', '050123'],
    ['Dana 050-123 Levi', 'dana 050123 levi'],
    ['S-000012', 's-000012'],
    ['dana.12.34@example.org', 'dana.12.34@example.org'],
    ['Jean-Luc 2', 'jean luc 2'],
    ['- ( )', '( )'],
  ])('takes %j as %j', (typed, sought) => {
    expect(foldQuery(typed)).toBe(sought)
  })
})

describe('isWellFormedText', () => {
  test.each(['', 'Sara', 'مُحَمَّد', '\u202e=cmd|', '😀', '\u0001'])('takes %j', (text) => {
    expect(isWellFormedText(text)).toBe(true)
  })

  test.each(['\u0000', 'a\u0000b', '\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d'])('refuses %j', (text) => {
    expect(isWellFormedText(text)).toBe(false)
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      ...Array.from('a1-\'"´`־׳״‐ÉßIıİ ςأإآٱءؤئىةيـ٣۳שׁךם׳־\u200f\u202e\u200d\u064b\u0301\u00a0\ufeff'),
    ),
  }),
)
