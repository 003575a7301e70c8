# SPDX-License-Identifier: Apache-2.0
# Which files are compiled at once: a batch is a source that includes some files of one part of the tree.
#   awk -v max=FILES -v to=FOLDER -f ci/batches.awk LIST   LIST: lines 'part level file [name of its main()]'
# It writes FOLDER/PART/LEVEL/N.c, those that are other than before, and prints for make which batches a part has.
# A batch includes the headers of its files first, then the files. No file may see a name of another in place of its own, so macros of
# a file end with it. A file with a name that is there already has the file's number put behind it by a macro, and goes to another batch
# if the name is all files', a tag, a struct's member's or a header's, too. (Assertions print what the file says: # expands nothing.)
# Names are those at file scope, of the file and of what it includes. A name has an origin: the file that defines it; for macros of
# headers, and constants without a value, the text that does, which may stand there twice, as may variables of tests, which are
# processes of their own; for what all files share, '*'. The length of an array may be a macro of the file.

BEGIN { # names of the system that files of the tree take for their own
    system_names["fcntl.h"] = "tag flock"
    system_names["sys/socket.h"] = "accept,connect,listen,send"
    system_names["sys/wait.h"] = "wait"
    system_names["unistd.h"] = "write"
}

function add(path, name, origin) {
    if (name != "" && name != "main") {
        name_of[path, ++names[path]] = name
        origin_of[path, names[path]] = origin
    }
}

# the last identifier before a bracket, a value or the end
function declared(text) {
    sub(/[[(=;{].*/, "", text)
    sub(/[ *]+$/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

function enumerators(path, text,   i, n, part) {
    sub(/.*\{/, "", text)
    sub(/\}.*/, "", text)
    for (n = split(text, part, ","); n > 0; n--) {
        if (match(part[n], /[A-Za-z_][A-Za-z_0-9]*/) && substr(part[n], RSTART + RLENGTH, 1) != "(") { # not a list of them
            add(path, substr(part[n], RSTART, RLENGTH), path)
        }
    }
}

function scan(path,   line, rest, text, in_comment, in_enum, word, folder, n, origin) {
    for (n = split(system_names[path], word, ","); n > 0; n--) {
        add(path, word[n], path)
    }
    split("", defined)
    while ((getline line < path) > 0) {
        if (line ~ /^ / && !in_enum && !in_comment && text == "") {
            continue # not of file scope
        }
        while (in_comment || line ~ /\/\*/) {
            if (!in_comment) {
                rest = line
                sub(/\/\*.*/, "", line)
                rest = substr(rest, length(line) + 3)
            } else {
                rest = line
                line = ""
            }
            in_comment = !match(rest, /\*\//)
            if (in_comment) {
                break
            }
            line = line substr(rest, RSTART + 2)
        }
        if (line ~ /^#/) {
            split(line, word, /[ (<>"]+/)
            if (line ~ /^#include/) {
                folder = path
                sub(/[^\/]*$/, "", folder)
                include[path, ++includes[path]] = (line ~ /"[^\/]*"/ ? folder : "") word[2]
                if (word[2] ~ /\.def$/) {
                    split("", defined) # a list undefines what it is read with
                }
                include_line[path, includes[path]] = line ~ /</ ? line : "#include \"" include[path, includes[path]] "\""
            } else if (line ~ /^#define /) {
                gsub(/ +/, " ", line)
                if (path ~ /\.c$/) {
                    macro[path, ++macros[path]] = word[2]
                } else {
                    defined[word[2]] = line
                }
                if (word[2] ~ /^_/) {
                    wish[path] = line # declarations beyond those of the part's flags
                }
            } else if (line ~ /^#undef /) {
                delete defined[word[2]] # of a list
            }
            continue
        }
        if (in_enum) {
            enumerators(path, line)
            in_enum = line !~ /^\}/
        }
        if (text != "" || line ~ /^[a-z_]/) {
            text = text (text == "" ? "" : " ") line
            sub(/__attribute__\(\([a-z_]+(\([^)]*\))?\)\) ?/, "", text)
            if (text !~ /[[(=;{]/) {
                continue # its name is on the next line
            }
            if (text ~ /(struct|union|enum) [a-z_0-9]+ \{/) {
                add(path, "tag " declared(text), path)
            } else if (text !~ /^[a-z ]*\{|^(struct|union|enum) [a-z_0-9]*;/) {
                origin = text !~ /^(static|typedef)/ ? "*" : text ~ /^static [^=({]*;/ && text !~ /\[[A-Z]/ && (text ~ / const / || path ~ /^tests/) ? text : path
                for (n = text ~ /[=({]/ ? 1 : split(text, word, ","); n > 0; n--) {
                    add(path, declared(text ~ /[=({]/ ? text : word[n]), origin)
                }
            }
            if (text ~ /enum[a-z_0-9 ]*\{/) {
                enumerators(path, text)
                in_enum = text !~ /\}/
            }
            text = ""
        } else if (line ~ /^\} [*a-z]/) {
            add(path, declared(substr(line, 3)), path)
        } else if (match(line, /^[A-Z_]+\([a-z_0-9]+\) =/)) { # by a macro
            add(path, substr(line, index(line, "(") + 1, RLENGTH - index(line, "(") - 3), path)
        }
    }
    close(path)
    for (n in defined) {
        add(path, n, defined[n])
    }
}

# what a file sees: itself and all that it includes, into seen[1..n]
function see(path, known, seen, n,   i) {
    if (path in known) {
        return n
    }
    known[path] = 1
    if (!(path in names)) {
        scan(path)
    }
    seen[++n] = path
    for (i = 1; i <= includes[path]; i++) {
        n = see(include[path, i], known, seen, n)
    }
    return n
}

# Does a file name a member of a struct so?
function is_member(path, name,   line) {
    if (!(path in read)) {
        read[path] = 1
        while ((getline line < path) > 0) {
            while (match(line, /[.>][a-z_][a-z_0-9]*/)) {
                member[path, substr(line, RSTART + 1, RLENGTH - 1)] = 1
                line = substr(line, RSTART + RLENGTH)
            }
        }
        close(path)
    }
    return (path, name) in member
}

# may a file come to a batch, by other names of its own where there is one already? They are left in new_names.
function fits(batch, seen, n,   i, k, name) {
    new_names = ""
    for (k = 1; k <= macros[seen[1]]; k++) {
        if ((batch, macro[seen[1], k]) in headers_have) {
            return 0
        }
    }
    for (i = 1; i <= n; i++) {
        if (!((batch, seen[i]) in has)) {
            for (k = names[seen[i]]; k > 0; k--) {
                name = name_of[seen[i], k]
                if (((batch, name) in owners) && owners[batch, name] != origin_of[seen[i], k]) {
                    if (i > 1 || origin_of[seen[1], k] == "*" || name ~ / / || is_member(seen[1], name)) {
                        return 0
                    }
                    new_names = new_names " " name
                } else if (i > 1 && ((batch, name) in file_macros)) {
                    return 0
                }
            }
        }
    }
    return 1
}

function join(batch, seen, n,   i, k) {
    for (k = 1; k <= macros[seen[1]]; k++) {
        file_macros[batch, macro[seen[1], k]] = 1
    }
    for (i = 1; i <= n; i++) {
        if ((batch, seen[i]) in has) {
            continue
        }
        has[batch, seen[i]] = 1
        for (k = names[seen[i]]; k > 0; k--) {
            if (i > 1 || !((batch, name_of[seen[i], k]) in owners)) {
                owners[batch, name_of[seen[i], k]] = origin_of[seen[i], k]
            }
            if (i > 1) {
                headers_have[batch, name_of[seen[i], k]] = 1
            }
        }
    }
}

function source_of(batch) {
    return to "/" batch ".c"
}

{
    split("", known)
    n = see($3, known, seen, 0)
    key = $1 "/" $2 (wish[$3] == "" ? "" : "/wish")
    for (b = 0; b < batches[key] && (count[key "/" b] >= max || !fits(key "/" b, seen, n)); b++) {
    }
    batch = key "/" b
    if (b == batches[key]) {
        batches[key]++
        all[++total] = batch
        new_names = ""
        list[$1] = list[$1] " " source_of(batch)
        if ($1 != last) {
            parts[++part_count] = last = $1
        }
    }
    count[batch]++
    join(batch, seen, n)
    if (count[batch] == 1) {
        head[batch] = wish[$3] == "" ? "" : wish[$3] "\n"
    }
    for (k = 1; k <= includes[$3]; k++) {
        if (include[$3, k] !~ /\.def$/ && !((batch, include[$3, k]) in head_has)) {
            head_has[batch, include[$3, k]] = 1
            head[batch] = head[batch] include_line[$3, k] "\n"
        }
    }
    undo = ""
    if ($4 != "") {
        body[batch] = body[batch] "#define main(a) " $4 "(a); int " $4 "(a)\n"
        undo = "#undef main\n"
    }
    for (k = split(new_names, word, " "); k > 0; k--) {
        body[batch] = body[batch] "#define " word[k] " " word[k] "_" count[batch] "\n"
        undo = undo "#undef " word[k] "\n"
    }
    for (k = 1; k <= macros[$3]; k++) {
        undo = undo "#undef " macro[$3, k] "\n"
    }
    body[batch] = body[batch] "#include \"" $3 "\"\n" undo
}

END {
    for (i = 1; i <= total; i++) {
        body[all[i]] = head[all[i]] body[all[i]]
        path = source_of(all[i])
        old = ""
        while ((getline line < path) > 0) {
            old = old line "\n"
        }
        close(path)
        if (old != body[all[i]]) {
            other[++others] = all[i]
            sub(/\/[^\/]*$/, "", path)
            if (!(path in made)) {
                made[path] = 1
                folders = folders " '" path "'"
            }
        }
    }
    if (others > 0) {
        system("mkdir -p" folders)
    }
    for (i = 1; i <= others; i++) {
        path = source_of(other[i])
        printf "%s", body[other[i]] >path
        close(path)
    }
    for (i = 1; i <= part_count; i++) {
        print "BATCHES_" parts[i] " :=" list[parts[i]]
    }
}
