// Writes the bill of materials of a release, in CycloneDX's JSON: the third-party code in the products.
import { createHash } from 'node:crypto';
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { Trouble } from '../lib/run.mjs';
import { epoch, packageJson, revision, version } from './commit.mjs';
import { libraries, versionHere } from './libraries.mjs';

const kSpec = Spec.Spec1dot6;

/** Returns a UUID that depends only on the commit, so that a rebuilt release has the same one. */
function serialNumber() {
  const hex = createHash('sha256').update(`tabernetes ${version} ${revision}`).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** https://github.com/package-url/purl-spec */
function purl({ id, npm }, libraryVersion) {
  const at = libraryVersion ? `@${libraryVersion}` : '';
  return npm ? `pkg:npm/${npm.replace('@', '%40')}${at}` : `pkg:generic/${id.replaceAll('_', '-')}${at}`;
}

function licenceOf(text) {
  const simple = /^[\w.-]+$/.test(text);
  return simple ? new Models.SpdxLicense(text) : new Models.LicenseExpression(text);
}

function component(library) {
  const known = library.version ?? versionHere(library.id);
  const made = new Models.Component(Enums.ComponentType.Library, library.title, { bomRef: library.id, version: known, purl: purl(library, known) });
  made.licenses.add(licenceOf(library.licence));
  return made;
}

/** Returns the text of release/tabernetes-VERSION.cdx.json, validated against CycloneDX's schema. */
export async function billOfMaterials() {
  const bom = new Models.Bom({ serialNumber: serialNumber(), version: 1 });
  const product = new Models.Component(Enums.ComponentType.Application, packageJson.name, { bomRef: packageJson.name, version, purl: `pkg:npm/tabernetes@${version}` });
  product.licenses.add(new Models.SpdxLicense(packageJson.license));
  bom.metadata.component = product;
  bom.metadata.timestamp = new Date(epoch * 1000);
  for (const library of libraries()) {
    const made = component(library);
    bom.components.add(made);
    product.dependencies.add(made.bomRef);
  }
  const text = `${new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(kSpec)).serialize(bom, { sortLists: true, space: 2 })}\n`;
  const fault = await new Validation.JsonStrictValidator(kSpec.version).validate(text);
  if (fault) throw new Trouble(`the bill of materials is no CycloneDX: ${JSON.stringify(fault)}`);
  return text;
}
